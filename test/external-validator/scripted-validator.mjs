#!/usr/bin/env node
/**
 * A fake of MagicBlock's validator for tests of its launcher. Accepts the same options, and answers the calls
 * that are made before it is ready. `behavior.json` next to its ledger changes this, and is read at each
 * call: `silent` lists methods without answers; `ignoresSigterm`; `lastWords` are printed before it exits at
 * once.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    remotes: { type: 'string' },
    lifecycle: { type: 'string' },
    listen: { type: 'string', default: '' },
    storage: { type: 'string', default: '' },
    reset: { type: 'boolean' },
    'no-tui': { type: 'boolean' },
    version: { type: 'boolean' },
  },
});

function behavior() {
  const file = join(dirname(values.storage), 'behavior.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

let slot = 0;
const ANSWERS = {
  getHealth: () => 'ok',
  getIdentity: () => ({ identity: 'mAGicPQYBMvcYveUZA5F5UNNwyHvfYh5xkLS2Fr1mev' }),
  getAccountInfo: () => ({ value: { executable: true } }),
  getSlot: () => slot++,
};

async function answer(request, response) {
  let body = '';
  for await (const part of request) body += part;
  const { id, method } = JSON.parse(body);
  if (behavior().silent?.includes(method)) return;
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: ANSWERS[method]() }));
}

if (values.version) {
  console.log(`scripted ${process.env.SCRIPTED_VALIDATOR_VERSION}`);
} else if (behavior().lastWords !== undefined) {
  console.error(behavior().lastWords);
  process.exitCode = 3;
} else {
  if (behavior().ignoresSigterm) process.on('SIGTERM', () => {});
  const [host, port] = values.listen.split(':');
  createServer((request, response) => void answer(request, response)).listen(Number(port), host);
}
