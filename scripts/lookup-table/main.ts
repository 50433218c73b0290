// Creates the lookup table for private transfers from base to base, with a running service:
// tsx scripts/lookup-table/main.ts --keypair id.json [--service http://127.0.0.1:8787] [--cluster mainnet]
// [--mint ADDRESS]... [--validator ADDRESS]... [--freeze] [--send]
// Without --send, it only prints the table. The service builds unsigned transactions; the key stays here.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { askForTable, readKeypair, sendTable } from './make-table.ts';

const { values } = parseArgs({
  options: {
    service: { type: 'string', default: 'http://127.0.0.1:8787' },
    keypair: { type: 'string' },
    cluster: { type: 'string' },
    mint: { type: 'string', multiple: true },
    validator: { type: 'string', multiple: true },
    freeze: { type: 'boolean', default: false },
    send: { type: 'boolean', default: false },
  },
});
if (values.keypair === undefined) throw new Error('--keypair FILE names who pays for the table');

async function post(path: string, body: object): Promise<unknown> {
  const answer = await fetch(new URL(path, values.service), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text);
  throw new Error(`${path} was answered with ${answer.status}: ${text}`);
}

const keypair = readKeypair(readFileSync(values.keypair, 'utf8'));
const table = await askForTable(post, keypair, {
  ...(values.cluster === undefined ? {} : { cluster: values.cluster }),
  ...(values.mint === undefined ? {} : { mints: values.mint }),
  ...(values.validator === undefined ? {} : { validators: values.validator }),
  freeze: values.freeze,
});
if (values.send) await sendTable(post, keypair, table, values.cluster);
const { lookupTable, addresses, transactions, setting, warnings = [] } = table;
for (const { message } of warnings) console.error(message);
console.log(
  JSON.stringify(
    { lookupTable, addresses, transactions: transactions.length, setting, sent: values.send },
    null,
    2,
  ),
);
