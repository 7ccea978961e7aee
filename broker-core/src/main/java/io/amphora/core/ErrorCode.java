package io.amphora.core;

/** Every error the core reports, by what the caller can do. Each edge maps all of them once. */
public enum ErrorCode {
  NOT_FOUND(Category.CLIENT),
  ALREADY_EXISTS(Category.CLIENT),
  INVALID_FIELD(Category.CLIENT),
  NOT_ALLOWED(Category.CLIENT),
  NOT_IMPLEMENTED(Category.CLIENT),
  UNAUTHORIZED(Category.CLIENT),
  MESSAGE_TOO_LARGE(Category.CLIENT),
  PRECONDITION_FAILED(Category.CLIENT),
  RESOURCE_DELETED(Category.CLIENT),
  RESOURCE_LOCKED(Category.CLIENT),
  /** The same link was attached again elsewhere: that one goes on. */
  LINK_STOLEN(Category.CLIENT),
  /** Disk or memory alarm, quota, full queue: the same request may succeed later. */
  RESOURCE_LIMIT(Category.RESOURCE),
  NOT_ENOUGH_REPLICAS(Category.RESOURCE),
  /** The partition has no leader here now. */
  NOT_LEADER(Category.RETRYABLE),
  TIMEOUT(Category.RETRYABLE),
  SHUTTING_DOWN(Category.RETRYABLE),
  /** It may or may not have happened; nobody may claim either (house rule 4). */
  INDETERMINATE(Category.INDETERMINATE),
  /** Stored bytes are damaged. */
  CORRUPT(Category.INTERNAL),
  INTERNAL(Category.INTERNAL);

  /** Who has to act. */
  public enum Category {
    CLIENT,
    RETRYABLE,
    RESOURCE,
    INTERNAL,
    INDETERMINATE
  }

  private final Category category;

  ErrorCode(Category category) {
    this.category = category;
  }

  public Category category() {
    return category;
  }
}
