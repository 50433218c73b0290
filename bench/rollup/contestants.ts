import { spawnSync } from 'node:child_process';
import { startExternalValidator } from '../../scripts/external-validator/launch.ts';
import { probeMachine, type Recipe } from '../../scripts/external-validator/probe.ts';
import { VERSION_OF, type ValidatorVersion } from '../../scripts/external-validator/versions.ts';
import type { Layout } from '../../src/chain/chain.ts';
import { LAYOUT_B_FOLDER } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { findFreePorts } from '../../test/external-validator/free-ports.ts';
import type { Scope } from '../scope.ts';
import { comeBack, cpuMsOf, moveAside, onFirstCore } from '../server-process.ts';
import { addressIn, startStack } from '../stack.ts';

/** A rollup on top of a base ledger of ours. */
export interface Contestant {
  readonly name: string;
  readonly serviceUrl: string;
  readonly ledgerUrl: string;
  readonly rollupUrl: string;
  /** CPU time used so far by the process that is the rollup, ms. */
  cpuMs(): number;
}

/** Who takes part, and why somebody does not. */
interface Contest {
  readonly embedded: Contestant;
  /** Null when it does not take part. */
  readonly external: Contestant | null;
  /** The version of MagicBlock's validator. */
  readonly version: ValidatorVersion;
  /** What it misses here; null when it takes part. */
  readonly missing: string | null;
}

/**
 * Starts the embedded rollup and, where it can run, MagicBlock's validator, each on a base ledger of its own
 * whose programs are of a layout. Those of layout B have to be there.
 */
export async function openContest(scope: Scope, layout: Layout): Promise<Contest> {
  // The validator hangs on a single core, which is what this process keeps to.
  comeBack();
  try {
    return await start(scope, layout);
  } finally {
    moveAside();
  }
}

async function start(scope: Scope, layout: Layout): Promise<Contest> {
  const programs = layout === 'b' ? { LOCALNET_PROGRAMS: LAYOUT_B_FOLDER ?? '' } : {};
  const version = VERSION_OF[layout];
  const embedded = await startEmbedded(scope, programs);
  const { facts, recipe } = probeMachine(process.env, version);
  if (recipe === null) {
    const missing = facts.filter(({ isMet }) => !isMet).map(({ text }) => text);
    return { embedded, external: null, version, missing: missing.join('; ') };
  }
  return { embedded, external: await startExternal(scope, recipe, programs), version, missing: null };
}

async function startExternal(
  scope: Scope,
  recipe: Recipe,
  programs: Readonly<Record<string, string>>,
): Promise<Contestant> {
  const port = await findFreePorts(3);
  const stack = scope.keep(
    await startStack(await scope.folder(), {
      ROLLUP: 'external',
      EPHEMERAL_RPC_URL: `http://127.0.0.1:${port}`,
      ...programs,
    }),
  );
  const { serviceUrl, ledgerUrl } = stack;
  const folder = await scope.folder();
  const validator = scope.keep(await startExternalValidator(recipe, { baseUrl: ledgerUrl, port, folder }));
  putOnFirstCore(validator.pid);
  return {
    name: nameOf(recipe.version),
    serviceUrl,
    ledgerUrl,
    rollupUrl: validator.url,
    cpuMs: () => cpuMsOf(validator.pid),
  };
}

/** What MagicBlock's validator is called in the tables. */
export const nameOf = ({ version }: ValidatorVersion): string => `MagicBlock's validator ${version}`;

async function startEmbedded(scope: Scope, programs: Readonly<Record<string, string>>): Promise<Contestant> {
  const stack = scope.keep(await startStack(await scope.folder(), programs));
  const { serviceUrl, ledgerUrl, cpuMs } = stack;
  return {
    name: 'embedded rollup, base ledger included',
    serviceUrl,
    ledgerUrl,
    rollupUrl: addressIn(stack.output, 'Rollup'),
    cpuMs,
  };
}

/** All threads of a process that runs, as our servers are from their start. */
function putOnFirstCore(pid: number): void {
  const [command] = onFirstCore([]);
  if (command === 'taskset') spawnSync('taskset', ['-a', '-p', '-c', '0', String(pid)]);
}
