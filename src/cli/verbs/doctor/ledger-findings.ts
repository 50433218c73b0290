import { LASTING } from '../../../solana/commitment.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import { systemClock } from '../../../ports/clock.ts';
import { isService } from '../../find-service.ts';
import { requireNetwork } from '../network-guard.ts';
import { callNode } from '../node-rpc.ts';
import { findingsOfCluster } from './cluster-findings.ts';
import type { Target } from '../target.ts';
import { VerbFailure } from '../verb-failure.ts';
import type { Finding } from './finding.ts';

/** How far the clock of a ledger may be from this machine's, seconds, before it is told. */
const CLOCK_SECONDS_MAX = 30;

/** Who answers of those that the verbs talk to. */
export async function findingsOfLedgers(target: Target): Promise<Finding[]> {
  const { cluster, base, rollup, service } = target;
  const node = { name: `the base ledger of ${cluster}`, url: base };
  const [serves, isBase, isRollup] = await Promise.all([
    isService(service),
    answers(node.name, base),
    rollup === null ? null : answers(`the rollup of ${cluster}`, rollup),
  ]);
  return [
    serves
      ? { level: 'ok', what: 'tool service', found: `answers at ${service.host}` }
      : missing('tool service', service, '--service', cluster),
    isBase
      ? { level: 'ok', what: 'base ledger', found: `answers at ${base.host}` }
      : missing('base ledger', base, cluster === 'localnet' ? '--url' : '--base', cluster),
    ...(isBase ? [await findNetwork(target), await findClock(node), ...(await findingsOfCluster(node))] : []),
    ...(rollup === null || isRollup === null
      ? [{ level: 'hint' as const, what: 'rollup', found: 'none is named', mend: 'Name it with --rollup.' }]
      : [
          isRollup
            ? ({ level: 'ok', what: 'rollup', found: `answers at ${rollup.host}` } as const)
            : missing('rollup', rollup, '--rollup', cluster),
        ]),
  ];
}

/** The host alone: the rest of a URL may be a key. */
function missing(what: string, { host }: URL, flag: string, cluster: string): Finding {
  const start = cluster === 'localnet' ? 'Start one with "spl-private-payments start", or name' : 'Name';
  return {
    level: 'fault',
    what,
    found: `none answers at ${host}`,
    mend: `${start} where it is with ${flag}.`,
  };
}

async function answers(name: string, url: URL): Promise<boolean> {
  try {
    return typeof (await callNode({ name, url }, 'getSlot')) === 'number';
  } catch (error) {
    if (isServiceError(error)) return false;
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
    const found = `that of the ledger is ${Math.abs(apart)} s ${apart < 0 ? 'behind' : 'ahead'}`;
    if (Math.abs(apart) <= CLOCK_SECONDS_MAX) return { level: 'ok', what, found };
    const mend =
      'Set the clock of this machine, unless the ledger was moved in time on purpose: logins expire by it.';
    return { level: 'hint', what, found, mend };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return { level: 'hint', what, found: 'the ledger does not tell its time' };
  }
}
