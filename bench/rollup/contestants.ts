import { spawnSync } from 'node:child_process';
import { startExternalValidator } from '../../scripts/external-validator/launch.ts';
import { probeMachine } from '../../scripts/external-validator/probe.ts';
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
  readonly contestants: readonly Contestant[];
  /** What MagicBlock's validator misses here; null when it takes part. */
  readonly missing: string | null;
}

/**
 * Starts the embedded rollup and, where it can run, MagicBlock's validator, each on a base ledger of its own.
 */
export async function openContest(scope: Scope): Promise<Contest> {
  // The validator hangs on a single core, which is what this process keeps to.
  comeBack();
  try {
    return await start(scope);
  } finally {
    moveAside();
  }
}

async function start(scope: Scope): Promise<Contest> {
  const embedded = await startEmbedded(scope);
  const { facts, recipe } = probeMachine(process.env);
  if (recipe === null) {
    const missing = facts.filter(({ isMet }) => !isMet).map(({ text }) => text);
    return { contestants: [embedded], missing: missing.join('; ') };
  }
  const port = await findFreePorts(3);
  const stack = scope.keep(
    await startStack(await scope.folder(), {
      ROLLUP: 'external',
      EPHEMERAL_RPC_URL: `http://127.0.0.1:${port}`,
    }),
  );
  const { serviceUrl, ledgerUrl } = stack;
  const folder = await scope.folder();
  const validator = scope.keep(await startExternalValidator(recipe, { baseUrl: ledgerUrl, port, folder }));
  putOnFirstCore(validator.pid);
  const external = {
    name: "MagicBlock's validator 0.8.3",
    serviceUrl,
    ledgerUrl,
    rollupUrl: validator.url,
    cpuMs: () => cpuMsOf(validator.pid),
  };
  return { contestants: [embedded, external], missing: null };
}

async function startEmbedded(scope: Scope): Promise<Contestant> {
  const stack = scope.keep(await startStack(await scope.folder()));
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
