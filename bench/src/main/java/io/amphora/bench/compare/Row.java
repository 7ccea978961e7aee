package io.amphora.bench.compare;

/** Parts of a comparison that can be run alone. */
enum Row {
  START("start"),
  PUBLISH("publish"),
  CONSUME("consume"),
  TOGETHER("together"),
  LATENCY("latency"),
  ROUNDTRIP("roundtrip"),
  MEMORY("memory"),
  RESTART("restart"),
  MILLION("million"),
  SIZES("sizes");

  private final String word;

  Row(String word) {
    this.word = word;
  }

  @Override
  public String toString() {
    return word;
  }
}
