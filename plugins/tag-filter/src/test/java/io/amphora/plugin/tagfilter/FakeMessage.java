package io.amphora.plugin.tagfilter;

import io.amphora.plugin.MessageProperty;
import io.amphora.plugin.MessageView;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A message made of maps. */
public final class FakeMessage implements MessageView {
  public final Map<MessageProperty, Object> properties = new EnumMap<>(MessageProperty.class);
  public final Map<String, Object> annotations = new HashMap<>();
  public final Map<String, Object> applicationProperties = new HashMap<>();
  public boolean durable;
  public int priority = 4;
  public int deliveryCount;
  public String sender = "";

  public FakeMessage with(String name, Object value) {
    applicationProperties.put(name, value);
    return this;
  }

  public FakeMessage with(MessageProperty property, Object value) {
    properties.put(property, value);
    return this;
  }

  public FakeMessage annotated(String name, Object value) {
    annotations.put(name, value);
    return this;
  }

  @Override
  public long offset() {
    return 7;
  }

  @Override
  public long enqueuedMillis() {
    return 1000;
  }

  @Override
  public int partition() {
    return 0;
  }

  @Override
  public Optional<byte[]> key() {
    return Optional.empty();
  }

  @Override
  public boolean durable() {
    return durable;
  }

  @Override
  public int priority() {
    return priority;
  }

  @Override
  public OptionalLong ttlMillis() {
    return OptionalLong.of(60_000);
  }

  @Override
  public int deliveryCount() {
    return deliveryCount;
  }

  @Override
  public Object property(MessageProperty property) {
    return properties.get(property);
  }

  @Override
  public Object annotation(String name) {
    return annotations.get(name);
  }

  @Override
  public Object applicationProperty(String name) {
    return applicationProperties.get(name);
  }

  @Override
  public boolean isSentBy(String containerId) {
    return sender.equals(containerId);
  }
}
