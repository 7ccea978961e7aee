'use strict';
/*
 * Writes or reads the messages of cases.json with rhea. Run by MatrixIT.
 *
 *   node matrix.js write HOST:PORT ADDRESS CASES
 *   node matrix.js read HOST:PORT ADDRESS COUNT     prints each message as a case, one a line
 */
const crypto = require('crypto');
const fs = require('fs');
const rhea = require('rhea');
const codec = require('rhea/lib/message.js');
const types = rhea.types;

const ME = 'rhea';
const BROKERS = ['x-opt-offset', 'x-opt-sequence-number', 'x-opt-enqueued-time', 'x-opt-partition',
  'x-opt-partition-key'];

function eight(text) {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64BE(BigInt.asIntN(64, BigInt(text)));
  return buffer;
}

function hex(text) {
  return Buffer.from(text, 'hex');
}

function bits(type) {
  return (v) => type(hex(v));
}

const ARRAYS = { int: 0x71, symbol: 0xb3 };

const BUILD = {
  null: () => types.wrap(null),
  boolean: types.wrap_boolean,
  ubyte: types.wrap_ubyte,
  ushort: types.wrap_ushort,
  uint: types.wrap_uint,
  ulong: (v) => types.wrap_ulong(eight(v)),
  byte: types.wrap_byte,
  short: types.wrap_short,
  int: types.wrap_int,
  long: (v) => types.wrap_long(eight(v)),
  float: (v) => types.wrap_float(hex(v).readFloatBE()),
  double: (v) => types.wrap_double(hex(v).readDoubleBE()),
  decimal32: bits(types.Decimal32),
  decimal64: bits(types.Decimal64),
  decimal128: bits(types.Decimal128),
  char: types.wrap_char,
  timestamp: (v) => types.wrap_timestamp(eight(v)),
  uuid: (v) => types.wrap_uuid(hex(v.replace(/-/g, ''))),
  binary: (v) => types.wrap_binary(hex(v)),
  string: types.wrap_string,
  symbol: types.wrap_symbol,
  list: (v) => types.wrap_list(v.map(build)),
  map: (v) => types.wrap_map_as_map(new Map(v.map(([key, value]) => [build(key), build(value)]))),
};

function build(typed) {
  return typed[0] === 'array' ? types.wrap_array(typed[2], ARRAYS[typed[1]]) : BUILD[typed[0]](typed[1]);
}

/** Numbers that are not safe come as the bytes. */
function whole(value, signed) {
  if (value instanceof Date) return String(value.getTime());
  if (!Buffer.isBuffer(value)) return String(value);
  return String(signed ? value.readBigInt64BE() : value.readBigUInt64BE());
}

function real(value, width) {
  const buffer = Buffer.alloc(width);
  if (width === 4) buffer.writeFloatBE(value);
  else buffer.writeDoubleBE(value);
  return buffer.toString('hex');
}

function uuid(value) {
  return value.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

const SHOW = [
  [/^Null/, () => ['null']],
  [/^(Boolean|True|False)/, (v) => ['boolean', !!v]],
  [/^Ubyte/, (v) => ['ubyte', v]],
  [/^Ushort/, (v) => ['ushort', v]],
  [/^(Small)?Uint/, (v) => ['uint', v]],
  [/^(Small)?Ulong/, (v) => ['ulong', whole(v, false)]],
  [/^Byte/, (v) => ['byte', v]],
  [/^Short/, (v) => ['short', v]],
  [/^(Small)?Int/, (v) => ['int', v]],
  [/^(Small)?Long/, (v) => ['long', whole(v, true)]],
  [/^Float/, (v) => ['float', real(v, 4)]],
  [/^Double/, (v) => ['double', real(v, 8)]],
  [/^Decimal/, (v) => ['decimal' + v.length * 8, v.toString('hex')]],
  [/^Char/, (v) => ['char', v]],
  [/^Timestamp/, (v) => ['timestamp', whole(v, true)]],
  [/^Uuid/, (v) => ['uuid', uuid(v)]],
  [/^Vbin/, (v) => ['binary', v.toString('hex')]],
  [/^Str/, (v) => ['string', v]],
  [/^Sym/, (v) => ['symbol', v]],
  [/^List/, (v) => ['list', v.map(show)]],
  [/^Map/, (v) => ['map', pairs(v)]],
  [/^Array/, (v) => ['array', show(v[0])[0], v.map((item) => item.value)]],
];

function show(typed) {
  return SHOW.find(([name]) => name.test(typed.type.name))[1](typed.value);
}

function pairs(flat) {
  const result = [];
  for (let i = 0; i < flat.length; i += 2) result.push([show(flat[i]), show(flat[i + 1])]);
  return result;
}

function filler(size) {
  const buffer = Buffer.alloc(size);
  for (let i = 0; i < size; i++) buffer[i] = ((i % 251) * 31 + 7) % 251;
  return buffer;
}

function data(section) {
  return section.length < 300
    ? section.toString('hex')
    : section.length + ' ' + crypto.createHash('sha256').update(section).digest('hex');
}

function object(entries) {
  return Object.fromEntries(Object.entries(entries || {}).map(([key, value]) => [key, build(value)]));
}

function body([kind, content]) {
  if (kind === 'size') return codec.data_section(filler(content));
  if (kind === 'data') return codec.data_sections(content.map(hex));
  if (kind === 'sequence') return codec.sequence_sections(content.map((list) => list.map(build)));
  return build(content);
}

/** The client types the fields itself, but for the two that may be of several types. */
function property([type, value]) {
  if (type === 'binary') return hex(value);
  return type === 'timestamp' ? Number(value) : value;
}

function message(c) {
  const m = { subject: c.name, body: body(c.body), ...c.header };
  for (const [name, typed] of Object.entries(c.properties || {})) {
    m[name.replace(/-/g, '_')] = /-id$/.test(name) && !/group|user/.test(name) ? build(typed) : property(typed);
  }
  if (c.application) m.application_properties = object(c.application);
  if (c.annotations) m.message_annotations = object(c.annotations);
  if (c.footer) m.footer = object(c.footer);
  return m;
}

const PROPERTIES = ['message-id', 'user-id', 'to', 'subject', 'reply-to', 'correlation-id', 'content-type',
  'content-encoding', 'absolute-expiry-time', 'creation-time', 'group-id', 'group-sequence', 'reply-to-group-id'];

/** The sections as they came: what the client hands to an application has no types left. */
function described(raw) {
  const c = { properties: {}, application: {}, annotations: {}, footer: {}, header: {} };
  const reader = new types.Reader(raw);
  let kind = 'none';
  const sections = [];
  while (reader.remaining()) {
    const section = reader.read();
    const value = section.value;
    switch (Number(section.descriptor.value)) {
      case 0x70:
        c.header = { durable: !!value[0].value, priority: value[1] && value[1].value !== null ? value[1].value : 4 };
        break;
      case 0x72:
        for (const [key, v] of pairs(value)) if (!BROKERS.includes(key[1])) c.annotations[key[1]] = v;
        break;
      case 0x73:
        value.forEach((field, i) => { if (field.value !== null) c.properties[PROPERTIES[i]] = show(field); });
        c.name = c.properties.subject[1];
        delete c.properties.subject;
        break;
      case 0x74:
        for (const [key, v] of pairs(value)) c.application[key[1]] = v;
        break;
      case 0x75: kind = 'data'; sections.push(data(value)); break;
      case 0x76: kind = 'sequence'; sections.push(value.map(show)); break;
      case 0x77: kind = 'value'; sections.push(show(section)); break;
      case 0x78:
        for (const [key, v] of pairs(value)) c.footer[key[1]] = v;
        break;
      default: throw new Error('section ' + section.descriptor.value);
    }
  }
  c.body = kind === 'none' ? [kind] : [kind, kind === 'value' ? sections[0] : sections];
  return c;
}

function write(connection, address, cases) {
  const mine = cases.filter((c) => !(c.skip || []).some((s) => s === ME || s === ME + ':write'));
  let next = 0;
  let accepted = 0;
  const sender = connection.open_sender(address);
  sender.on('sendable', () => {
    while (next < mine.length && sender.sendable()) sender.send(message(mine[next++]));
  });
  sender.on('accepted', () => { if (++accepted === mine.length) connection.close(); });
  sender.on('rejected', (context) => { throw new Error(JSON.stringify(context.delivery.remote_state)); });
}

function read(connection, address, count) {
  // The client's own decoder runs too; it keeps the bytes for us.
  const decode = codec.decode;
  codec.decode = (buffer) => Object.assign(decode(buffer), { raw: buffer });
  let seen = 0;
  const receiver = connection.open_receiver({ source: address, credit_window: 10 });
  receiver.on('message', (context) => {
    process.stdout.write(JSON.stringify(described(context.message.raw)) + '\n');
    if (++seen === count) {
      context.delivery.accept();
      connection.close();
    }
  });
}

const [mode, url, address, argument] = process.argv.slice(2);
const [host, port] = url.split(':');
const connection = rhea.connect({ host, port, reconnect: false });
connection.on('disconnected', (context) => { if (context.error) throw context.error; });
if (mode === 'write') write(connection, address, JSON.parse(fs.readFileSync(argument, 'utf8')));
else read(connection, address, Number(argument));
