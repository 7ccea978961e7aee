'use strict';
/*
 * What an application on rhea does over WebSocket. Run by WebSocketIT:
 *
 *   node websocket.js ws://HOST:PORT/PATH SUBPROTOCOL
 */
const assert = require('assert');
const crypto = require('crypto');
const { once } = require('events');
const rhea = require('rhea');
const WebSocket = require('ws');

const [url, protocol] = process.argv.slice(2);
const address = `rhea-ws-${crypto.randomUUID()}`;

async function main() {
  const container = rhea.create_container();
  const connect = container.websocket_connect(WebSocket);
  const connection = container.connect({
    connection_details: connect(url, [protocol], {}),
    reconnect: false,
  });
  await once(connection, 'connection_open');
  const sender = connection.open_sender(address);
  await once(sender, 'sendable');
  const bodies = ['small', 'x'.repeat(1 << 20), crypto.randomBytes(10 << 20)];
  for (const body of bodies) {
    sender.send({ body });
    await once(sender, 'accepted');
  }
  const receiver = connection.open_receiver({ source: address, credit_window: 1 });
  for (const body of bodies) {
    const [{ message }] = await once(receiver, 'message');
    assert.strictEqual(message.body.length, body.length);
    assert.ok(Buffer.from(message.body).equals(Buffer.from(body)));
  }
  connection.close();
  await once(connection, 'connection_close');
  console.log('ok over ' + protocol);
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
});
