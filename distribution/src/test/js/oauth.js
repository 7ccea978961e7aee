// rhea logs in with XOAUTH2. Run: oauth.js PORT GOOD_TOKEN BAD_TOKEN
// The tokens are of the user ada. Prints one line per check and exits 1 when one fails.
'use strict';

const rhea = require('rhea');
const sasl = require('rhea/lib/sasl.js');

const [port, good, bad] = process.argv.slice(2);

function connect(token) {
  return new Promise((resolve) => {
    const mechanisms = sasl.client_mechanisms();
    mechanisms.enable_xoauth2('ada', token);
    const container = rhea.create_container();
    const connection = container.connect({
      host: '127.0.0.1', port: Number(port), reconnect: false, sasl_mechanisms: mechanisms,
    });
    connection.on('connection_open', () => { connection.close(); resolve('open'); });
    connection.on('connection_error', (context) => resolve(context.error.condition));
    connection.on('disconnected', () => resolve('disconnected'));
  });
}

async function main() {
  for (const [name, token, expected] of [
    ['good', good, 'open'], ['bad', bad, 'amqp:unauthorized-access']]) {
    const result = await connect(token);
    if (result !== expected) {
      console.log(`${name}: expected ${expected}, got ${result}`);
      process.exit(1);
    }
    console.log('ok', name);
  }
  process.exit(0);
}

main();
