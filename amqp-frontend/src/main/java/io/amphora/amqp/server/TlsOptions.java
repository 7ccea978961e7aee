package io.amphora.amqp.server;

import java.nio.file.Path;
import java.util.Optional;

/**
 * TLS from the first byte. All files are PEM.
 *
 * @param certificate the broker's certificate, with those between it and the root behind it
 * @param key its private key, PKCS#8
 * @param clientCa who signs clients' certificates; empty when clients are asked for none
 * @param clientRequired whether a client without a certificate is refused
 */
public record TlsOptions(
    Path certificate, Path key, Optional<Path> clientCa, boolean clientRequired) {}
