import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { askLayout, checkBase, judgeLayout } from './check-base.ts';
import { binaryPlace, installBinary } from './find-binary.ts';
import { startExternalValidator } from './launch.ts';
import { probeMachine, type Fact } from './probe.ts';
import { findVersion, VERSION_OF, type ValidatorVersion } from './versions.ts';

/**
 * Runs MagicBlock's ephemeral validator from npm as the rollup of this project's node: 0.8.3 for the programs
 * of localnet (layout A), 0.14.10 for the networks' programs (layout B, the node's `--programs`). Checks its
 * requirements, starts it, prints its address, and stops it at exit. The node must run with ROLLUP=external.
 * The validator has its own license (Business Source License 1.1, for non-production use only), so npm
 * installs it only with `--install`.
 *
 * npm run external-validator -- [--base http://127.0.0.1:8899] [--port 7799] [--folder DIR] --version 0.8.3 |
 * 0.14.10   the version; by default the one for the programs of the node --install                   installs
 * it first, into EPHEMERAL_VALIDATOR_BIN or this user's cache --probe                     only prints what is
 * present and what is missing, without calling a node. The default version is 0.14.10 if LOCALNET_PROGRAMS is
 * set
 *
 * Exit codes: 0 after a requested stop, 1 if something is missing or the validator ends by itself or hangs, 2
 * for invalid options.
 */
const { values } = parseArgs({
  options: {
    base: { type: 'string', default: 'http://127.0.0.1:8899' },
    port: { type: 'string', default: '7799' },
    folder: { type: 'string', default: join(tmpdir(), 'spl-external-validator') },
    version: { type: 'string' },
    install: { type: 'boolean', default: false },
    probe: { type: 'boolean', default: false },
  },
});

const told = values.version === undefined ? null : findVersion(values.version);
if (told === undefined) {
  const known = Object.values(VERSION_OF).map(({ version }) => version);
  console.error(`--version is ${values.version} and must be ${known.join(' or ')}`);
  process.exit(2);
}
process.exitCode = await (values.probe ? probe(told ?? versionHere()) : run(told));

/** Prints what is present on this machine, without calling a node. */
function probe(version: ValidatorVersion): number {
  const { facts } = probeHere(version);
  return print(facts) ? 0 : cannotRun();
}

/** Runs a version until it ends. By default, it is the one for the node's programs. */
async function run(version: ValidatorVersion | null): Promise<number> {
  const { base: baseUrl, folder } = values;
  const base = await askLayout(baseUrl);
  if (!print(base.facts) || base.layout === null) return cannotRun();
  const chosen = version ?? VERSION_OF[base.layout];
  if (!print([judgeLayout(chosen, base.layout)])) return cannotRun();
  const { facts, recipe } = probeHere(chosen);
  const isReady = print([...facts, ...(await checkBase(baseUrl, chosen))]);
  if (!isReady || recipe === null) return cannotRun();
  const options = { baseUrl, folder, port: Number(values.port) };
  const validator = await startExternalValidator(recipe, options).catch(tell);
  if (validator === null) return 1;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void validator.stop());
  console.log(`\nReady after ${validator.readyAfterMs.toFixed(0)} ms: ${validator.url}`);
  console.log(`Deposits name the validator ${validator.identity}.`);
  console.log(`The node uses it with ROLLUP=external EPHEMERAL_RPC_URL=${validator.url}. Stop with Ctrl+C.`);
  const { isAsked, words } = await validator.ended;
  console.log(words);
  return isAsked ? 0 : 1;
}

function probeHere(version: ValidatorVersion): ReturnType<typeof probeMachine> {
  if (values.install) installBinary(binaryPlace(process.env), version.version);
  return probeMachine(process.env, version);
}

function versionHere(): ValidatorVersion {
  return VERSION_OF[(process.env['LOCALNET_PROGRAMS'] ?? '') === '' ? 'a' : 'b'];
}

function tell({ message }: Error): null {
  console.error(message);
  return null;
}

function cannotRun(): number {
  console.log('\nThe external validator cannot run: see what is missing above.');
  return 1;
}

/** Prints one line for each fact. Returns whether all are met. */
function print(some: readonly Fact[]): boolean {
  for (const { isMet, text } of some) console.log(`${isMet ? 'ok      ' : 'MISSING '}${text}`);
  return some.every(({ isMet }) => isMet);
}
