package io.amphora.boot.jms;

import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.jms.JmsConnectionListener;
import org.apache.qpid.jms.message.JmsInboundMessageDispatch;

/** Hears when a client is connected again. */
final class Restored implements JmsConnectionListener {

  private final CountDownLatch restored = new CountDownLatch(1);

  boolean is() {
    return restored.getCount() == 0;
  }

  boolean await(long seconds) throws InterruptedException {
    return restored.await(seconds, TimeUnit.SECONDS);
  }

  @Override
  public void onConnectionRestored(URI remote) {
    restored.countDown();
  }

  @Override
  public void onConnectionEstablished(URI remote) {}

  @Override
  public void onConnectionFailure(Throwable error) {}

  @Override
  public void onConnectionInterrupted(URI remote) {}

  @Override
  public void onInboundMessage(JmsInboundMessageDispatch envelope) {}

  @Override
  public void onSessionClosed(Session session, Throwable cause) {}

  @Override
  public void onConsumerClosed(MessageConsumer consumer, Throwable cause) {}

  @Override
  public void onProducerClosed(MessageProducer producer, Throwable cause) {}
}
