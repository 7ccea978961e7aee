package io.amphora.admin.http;

/** Ends a request with a problem. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public ProblemException(Problem problem) {
    super(problem.code() + ": " + problem.detail());
    this.problem = problem;
  }

  /** A field or parameter of the request that cannot be accepted. */
  public static ProblemException invalid(String field, String detail) {
    return new ProblemException(new Problem(400, "invalid-field", field + ": " + detail, field));
  }

  /** Something named in the path does not exist. */
  public static ProblemException notFound(String detail) {
    return new ProblemException(new Problem(404, "not-found", detail, ""));
  }

  public Problem problem() {
    return problem;
  }
}
