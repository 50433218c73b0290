import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { checkBase } from './check-base.ts';
import { startExternalValidator } from './launch.ts';
import { probeMachine, type Fact } from './probe.ts';

/**
 * Runs MagicBlock's own ephemeral validator, from npm, as the rollup of a node of ours. Nothing here installs
 * it: its licence (Business Source License 1.1) is not ours. Says what it needs and what of that is missing,
 * starts it, prints where it listens, and ends it with itself. Needs the node to run.
 *
 *   npx tsx scripts/external-validator/main.ts [--base http://127.0.0.1:8899] [--port 7799] [--folder DIR]
 *   npx tsx scripts/external-validator/main.ts --probe      says what is here and what is missing, and ends
 */
const { values } = parseArgs({
  options: {
    base: { type: 'string', default: 'http://127.0.0.1:8899' },
    port: { type: 'string', default: '7799' },
    folder: { type: 'string', default: join(tmpdir(), 'spl-external-validator') },
    probe: { type: 'boolean', default: false },
  },
});

const { facts, recipe } = probeMachine(process.env);
const isReady = print(facts) && print(values.probe ? [] : await checkBase(values.base));
if (!isReady || recipe === null) {
  console.log('\nThe external validator cannot run: see what is missing above.');
  process.exitCode = 1;
} else if (!values.probe) {
  const { base: baseUrl, folder } = values;
  const validator = await startExternalValidator(recipe, { baseUrl, folder, port: Number(values.port) });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void validator.stop());
  console.log(`\nReady after ${validator.readyAfterMs.toFixed(0)} ms: ${validator.url}`);
  console.log(`Deposits name the validator ${validator.identity}.`);
  console.log(`The node uses it with ROLLUP=external EPHEMERAL_RPC_URL=${validator.url}. Stop with Ctrl+C.`);
  console.log(await validator.ended);
}

/** One line for each fact; whether all are met. */
function print(some: readonly Fact[]): boolean {
  for (const { isMet, text } of some) console.log(`${isMet ? 'ok      ' : 'MISSING '}${text}`);
  return some.every(({ isMet }) => isMet);
}
