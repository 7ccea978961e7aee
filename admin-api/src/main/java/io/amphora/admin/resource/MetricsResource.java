package io.amphora.admin.resource;

import com.codahale.metrics.MetricRegistry;
import io.amphora.admin.http.Answer;
import io.amphora.admin.http.ApiRequest;
import io.amphora.admin.http.RouteTable;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.dropwizard.DropwizardExports;
import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** The broker's figures in Prometheus text format. */
public final class MetricsResource {
  private final DropwizardExports exports;
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

  public MetricsResource(MetricRegistry metrics) {
    this.exports = new DropwizardExports(metrics);
  }

  public void mount(RouteTable routes) {
    routes.get("/metrics", this::show);
  }

  private Future<Answer> show(ApiRequest request) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      writer.write(text, exports.collect(), EscapingScheme.DEFAULT);
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
    return Future.succeededFuture(
        Answer.text(PrometheusTextFormatWriter.CONTENT_TYPE, text.toByteArray()));
  }
}
