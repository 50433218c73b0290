import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import { systemClock } from '../../ports/clock.ts';
import { LASTING } from '../../solana/commitment.ts';
import { isService } from '../mcp-mode.ts';
import { findingsOfCluster } from './doctor/cluster-findings.ts';
import { type Finding, findingsOfMachine, findPrograms } from './doctor/machine-findings.ts';
import { callNode, requireNetwork } from './node-rpc.ts';
import { readTarget, type Target } from './target.ts';
import type { RunVerb } from './verb-call.ts';
import { VerbFailure } from './verb-failure.ts';

/** Runs `doctor`. It prints a line for each check, with a fix for each problem. */
export const runDoctor: RunVerb = async (call) => {
  const target = readTarget(call);
  const { env } = call.terminal;
  const work = Promise.all([
    findingsOfMachine(env, target.cluster),
    findPrograms(env),
    findingsOfLedgers(target),
  ]);
  const findings = (await call.during('Querying the nodes', work)).flat();
  const bad = findings.filter(({ level }) => level === 'fault');
  call.report({ isWell: bad.length === 0, findings }, findings.flatMap(linesOf));
  return bad.length === 0 ? 'done' : 'unavailable';
};

function linesOf({ level, what, found, fix }: Finding): string[] {
  const [first = '', ...more] = `${what}: ${found}`.split('\n');
  const below = fix === undefined ? more : [...more, fix];
  return [`${level.padEnd(5)}  ${first}`, ...below.map((line) => `       ${line}`)];
}

/** Maximum difference between a ledger's clock and this machine's, in seconds. */
const CLOCK_SECONDS_MAX = 30;

/** Checks the service and the nodes of a target. */
export async function findingsOfLedgers(target: Target): Promise<Finding[]> {
  const { cluster, base, rollup, service } = target;
  const node = { name: `the base ledger of ${cluster}`, url: base };
  const [serves, baseFailure, rollupFailure] = await Promise.all([
    isService(service),
    failureOf(node.name, base),
    rollup === null ? null : failureOf(`the rollup of ${cluster}`, rollup),
  ]);
  return [
    serves
      ? { level: 'ok', what: 'tool service', found: `answers at ${service.host}` }
      : missing('tool service', service, '--service', cluster),
    baseFailure === null
      ? { level: 'ok', what: 'base ledger', found: `answers at ${base.host}` }
      : missing('base ledger', base, cluster === 'localnet' ? '--url' : '--base', cluster, baseFailure),
    ...(baseFailure === null
      ? [await findNetwork(target), await findClock(node), ...(await findingsOfCluster(node))]
      : []),
    ...(rollup === null
      ? [{ level: 'hint' as const, what: 'rollup', found: 'not set', fix: 'Pass one with --rollup.' }]
      : [
          rollupFailure === null
            ? ({ level: 'ok', what: 'rollup', found: `answers at ${rollup.host}` } as const)
            : missing('rollup', rollup, '--rollup', cluster, rollupFailure),
        ]),
  ];
}

/** Describes a node that cannot be used. Shows only the host, because a URL may contain a key. */
function missing(
  what: string,
  { host }: URL,
  flag: string,
  cluster: string,
  failure?: ServiceError,
): Finding {
  if (failure !== undefined && failure.code !== 'UPSTREAM_UNAVAILABLE') {
    return { level: 'fault', what, found: failure.message };
  }
  const nothing = failure === undefined ? `no ${what}` : 'nothing';
  const start = cluster === 'localnet' ? 'Start one with "spl-private-payments start", or pass' : 'Pass';
  return {
    level: 'fault',
    what,
    found: `${nothing} answers at ${host}`,
    fix: `${start} its address with ${flag}.`,
  };
}

/** Returns the error of a node that cannot be used; null if it answers. */
async function failureOf(name: string, url: URL): Promise<ServiceError | null> {
  try {
    await callNode({ name, url }, 'getSlot');
    return null;
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
}

async function findNetwork(target: Target): Promise<Finding> {
  try {
    await requireNetwork(target);
    return { level: 'ok', what: 'network', found: target.cluster };
  } catch (error) {
    if (!(error instanceof VerbFailure) && !isServiceError(error)) throw error;
    return { level: 'fault', what: 'network', found: error.message };
  }
}

async function findClock(node: { readonly name: string; readonly url: URL }): Promise<Finding> {
  const what = 'clock';
  try {
    const slot = Number(await callNode(node, 'getSlot', [{ commitment: LASTING }]));
    const seconds = Number(await callNode(node, 'getBlockTime', [slot]));
    const apart = Math.round(seconds - systemClock.now() / 1_000);
    const found = `the ledger's clock is ${Math.abs(apart)} s ${apart < 0 ? 'behind' : 'ahead'}`;
    if (Math.abs(apart) <= CLOCK_SECONDS_MAX) return { level: 'ok', what, found };
    const fix =
      'Correct the clock of this machine, because logins depend on it. Ignore this if you moved the ledger in time.';
    return { level: 'hint', what, found, fix };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return { level: 'hint', what, found: 'the ledger does not report its time' };
  }
}
