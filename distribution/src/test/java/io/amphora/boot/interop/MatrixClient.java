package io.amphora.boot.interop;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** A client that writes and reads the messages of the {@link CaseTable}. */
interface MatrixClient {

  /** As the table's {@code skip} names it. */
  String name();

  /** Sends what it can, in order, and waits until all is accepted. */
  void write(int port, String address, List<JsonNode> cases) throws Exception;

  /** Receives and accepts this many, and shows each as a case. */
  List<JsonNode> read(int port, String address, int count) throws Exception;
}
