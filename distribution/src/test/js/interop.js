'use strict';
/*
 * What an application on rhea expects of a broker. Run by RheaIT:
 *
 *   node interop.js HOST:PORT HOST:PORT-OF-A-BROKER-WITHOUT-AUTO-CREATE
 */
const assert = require('assert');
const { once } = require('events');
const crypto = require('crypto');
const rhea = require('rhea');

const TIMEOUT = 20000;
const [URL, STRICT_URL] = process.argv.slice(2);

function fresh(name) {
  return `rhea-${name}-${crypto.randomUUID()}`;
}

/** The first event of a name, or an error after a while. */
async function event(emitter, name) {
  const timer = AbortSignal.timeout(TIMEOUT);
  const [context] = await once(emitter, name, { signal: timer }).catch((e) => {
    throw timer.aborted ? new Error(`no ${name} within ${TIMEOUT} ms`) : e;
  });
  return context;
}

async function connect(url = URL) {
  const [host, port] = url.split(':');
  const connection = rhea.create_container().connect({ host, port, reconnect: false });
  await event(connection, 'connection_open');
  return connection;
}

async function close(connection) {
  connection.close();
  await event(connection, 'connection_close');
}

async function sender(connection, address) {
  const link = connection.open_sender(address);
  await event(link, 'sendable');
  return link;
}

/** Sends and waits for the outcome. */
async function send(link, message) {
  link.send(message);
  await event(link, 'accepted');
}

/** A receiver whose deliveries wait in a queue; it gives credit only when asked. */
async function receiver(connection, source, options = {}) {
  const link = connection.open_receiver({ source, credit_window: 0, autoaccept: false, ...options });
  link.arrived = [];
  link.on('message', (context) => {
    link.arrived.push(context);
    link.emit('arrived');
  });
  await event(link, 'receiver_open');
  return link;
}

async function next(link) {
  link.add_credit(1);
  if (!link.arrived.length) await event(link, 'arrived');
  return link.arrived.shift();
}

async function take(link, count) {
  const bodies = [];
  for (let i = 0; i < count; i++) {
    const context = await next(link);
    bodies.push(context.message.body);
    context.delivery.accept();
  }
  return bodies;
}

function numbers(from, to) {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

async function filled(connection, name, count) {
  const address = fresh(name);
  const link = await sender(connection, address);
  for (let i = 0; i < count; i++) await send(link, { body: i });
  return address;
}

const CHECKS = {
  async credit_one_keeps_order(c) {
    const address = await filled(c, 'credit', 30);
    assert.deepStrictEqual(await take(await receiver(c, address), 30), numbers(0, 30));
  },

  async release_returns_uncounted_and_modify_counts(c) {
    const link = await receiver(c, await filled(c, 'outcomes', 1));
    let got = await next(link);
    assert.strictEqual(got.message.delivery_count || 0, 0);
    got.delivery.release({ delivery_failed: false, undeliverable_here: false });
    got = await next(link);
    assert.strictEqual(got.message.delivery_count || 0, 0);
    for (let failed = 1; failed <= 3; failed++) {
      got.delivery.modified({ delivery_failed: true, undeliverable_here: false });
      got = await next(link);
      assert.strictEqual(got.message.delivery_count, failed);
    }
    got.delivery.accept();
  },

  async reject_does_not_come_back(c) {
    const link = await receiver(c, await filled(c, 'reject', 2));
    (await next(link)).delivery.reject({ condition: 'test:bad', description: 'not wanted' });
    assert.deepStrictEqual(await take(link, 1), [1]);
  },

  async pre_settled_both_ways(c) {
    const address = fresh('settled');
    const out = c.open_sender({ target: address, snd_settle_mode: 1 });
    await event(out, 'sendable');
    for (let i = 0; i < 5; i++) assert.ok(out.send({ body: i }).settled);
    const link = await receiver(c, address, { snd_settle_mode: 1 });
    for (let i = 0; i < 5; i++) {
      const got = await next(link);
      assert.strictEqual(got.message.body, i);
      assert.ok(got.delivery.remote_settled);
    }
  },

  async drain_with_and_without_messages(c) {
    const address = await filled(c, 'drain', 3);
    const link = await receiver(c, address);
    for (const expected of [3, 0]) {
      link.add_credit(10);
      link.drain_credit();
      await event(link, 'receiver_drained');
      assert.strictEqual(link.arrived.length, expected);
      link.arrived.splice(0).forEach((context) => context.delivery.accept());
      link.drain = false;
    }
  },

  async browsing_takes_nothing(c) {
    const address = await filled(c, 'browse', 3);
    for (let i = 0; i < 2; i++) {
      const browser = await receiver(c, { address, distribution_mode: 'copy' });
      assert.deepStrictEqual(await take(browser, 3), numbers(0, 3));
    }
    assert.deepStrictEqual(await take(await receiver(c, address), 3), numbers(0, 3));
  },

  async replay_from_offset_and_time(c) {
    const address = await filled(c, 'replay', 10);
    const key = 'rabbitmq:stream-offset-spec';
    const from = async (value, count) => {
      const filter = { [key]: rhea.types.wrap_described(value, key) };
      const link = await receiver(c, { address, filter });
      assert.ok(link.remote.attach.source.filter || link.source.filter, 'the filter is echoed');
      const got = await take(link, count);
      link.close();
      return got;
    };
    const first = await next(await receiver(c, { address, distribution_mode: 'copy' }));
    const base = Number(first.message.message_annotations['x-opt-offset']);
    assert.deepStrictEqual(await from('first', 10), numbers(0, 10));
    assert.deepStrictEqual(await from(rhea.types.wrap_ulong(base + 6), 4), numbers(6, 10));
    assert.deepStrictEqual(await from(rhea.types.wrap_timestamp(1), 10), numbers(0, 10));
    assert.deepStrictEqual(await from('last', 1), [9]);
  },

  async dynamic_nodes_carry_answers_by_an_anonymous_sender(c) {
    const replies = await receiver(c, { dynamic: true });
    const reply_to = replies.source.address;
    assert.ok(reply_to, 'no address');
    const address = fresh('requests');
    await send(await sender(c, address), { body: 'question', reply_to, message_id: 'q1' });
    const requests = await receiver(c, address);
    const asked = await next(requests);
    const anonymous = await sender(c, { target: {} });
    const { reply_to: to, message_id: correlation_id } = asked.message;
    await send(anonymous, { body: 'answer', to, correlation_id });
    asked.delivery.accept();
    const answer = await next(replies);
    assert.deepStrictEqual([answer.message.body, answer.message.correlation_id], ['answer', 'q1']);
    answer.delivery.accept();
  },

  async unknown_address_is_refused() {
    const c = await connect(STRICT_URL);
    const out = c.open_sender(fresh('unknown'));
    assert.strictEqual((await event(out, 'sender_error')).sender.error.condition, 'amqp:not-found');
    const into = c.open_receiver(fresh('unknown'));
    assert.strictEqual((await event(into, 'receiver_error')).receiver.error.condition, 'amqp:not-found');
    await close(c);
  },

  /** The client writes the keys of a footer as strings; they have to be symbols. */
  async footers_are_rejected_and_the_link_goes_on(c) {
    const address = fresh('footer');
    const link = await sender(c, address);
    link.send({ body: 'x', footer: { key: 1 } });
    const refused = await event(link, 'rejected');
    assert.strictEqual(refused.delivery.remote_state.error.condition, 'amqp:decode-error');
    await send(link, { body: 'y' });
    assert.deepStrictEqual(await take(await receiver(c, address), 1), ['y']);
  },

  async selectors_share_a_queue_and_are_echoed(c) {
    const address = fresh('selector');
    const out = await sender(c, address);
    for (let i = 0; i < 6; i++) {
      await send(out, { body: i, application_properties: { color: i % 2 ? 'blue' : 'red' } });
    }
    const selected = (text) => receiver(c, { address, filter: rhea.filter.selector(text) });
    const blue = await selected("color = 'blue'");
    assert.ok(blue.source.filter['jms-selector']);
    const red = await selected("color = 'red' AND JMSPriority = 4");
    assert.deepStrictEqual(await take(blue, 3), [1, 3, 5]);
    assert.deepStrictEqual(await take(red, 3), [0, 2, 4]);
    const bad = c.open_receiver({ source: { address, filter: rhea.filter.selector('color =') } });
    await event(bad, 'receiver_error');
    assert.strictEqual(bad.error.condition, 'amqp:invalid-field');
    assert.match(bad.error.description, /at position 8/);
  },

  async many_links_on_one_connection(c) {
    const address = fresh('links');
    const links = [];
    for (let i = 0; i < 20; i++) links.push(await receiver(c, `${address}::group-${i}`));
    const out = await sender(c, address);
    for (let i = 0; i < 5; i++) await send(out, { body: i });
    for (const link of links) assert.deepStrictEqual(await take(link, 5), numbers(0, 5));
  },

  async many_messages_in_order(c) {
    const count = 5000;
    const address = fresh('many');
    const out = c.open_sender(address);
    let sent = 0;
    out.on('sendable', () => { while (sent < count && out.sendable()) out.send({ body: sent++ }); });
    const bodies = [];
    const into = c.open_receiver(address);
    const done = new Promise((resolve) => {
      into.on('message', (context) => { if (bodies.push(context.message.body) === count) resolve(); });
    });
    await Promise.race([done, event(into, 'receiver_close')]);
    assert.deepStrictEqual(bodies, numbers(0, count));
  },
};

async function main() {
  let failed = 0;
  for (const [name, check] of Object.entries(CHECKS)) {
    const connection = await connect();
    try {
      await check(connection);
      console.log('ok   ' + name);
    } catch (e) {
      failed++;
      console.log('FAIL ' + name + '\n' + e.stack);
    }
    connection.removeAllListeners();
    connection.close();
  }
  console.log(`${Object.keys(CHECKS).length - failed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}

main();
