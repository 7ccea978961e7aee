'use strict';
/*
 * Sends numbers, each until it is accepted, through a restart of the broker. Run by ReconnectIT:
 *
 *   node reconnect.js HOST:PORT ADDRESS COUNT
 */
const rhea = require('rhea');

const [url, address, count] = process.argv.slice(2);
const [host, port] = url.split(':');
const half = count / 2;
let next = 0;
let waiting = false;
let restarted = false;

const connection = rhea.connect({ host, port, initial_reconnect_delay: 100, max_reconnect_delay: 1000 });
const sender = connection.open_sender(address);

function send() {
  if (!waiting && sender.sendable() && (next < half || restarted)) {
    waiting = true;
    sender.send({ body: next });
  }
}

sender.on('sendable', send);
sender.on('accepted', () => {
  waiting = false;
  next++;
  if (next === half) console.log('half');
  if (next === Number(count)) connection.close();
  else send();
});
sender.on('released', () => { waiting = false; send(); });
connection.on('disconnected', () => {
  restarted = true;
  waiting = false;
});
