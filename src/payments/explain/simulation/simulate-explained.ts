import { isServiceError } from '../../../errors/service-error.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { isReadable } from '../../accounts/token-account.ts';
import {
  programsOf,
  runSimulation,
  type SimulatedAccount,
  type SimulationOutcome,
  type SimulationSummary,
} from '../../simulation/with-simulation.ts';
import { caution, danger, type Finding } from '../finding.ts';
import type { ReadSubject } from '../gather-evidence.ts';
import { shuttlesOf } from '../state/faults.ts';
import {
  type AnnouncedEffects,
  carriersOf,
  compareSimulation,
  type SimulationGap,
} from './compare-simulation.ts';

/** The result of a simulation. */
export interface ExplainedSimulation {
  readonly summary: SimulationSummary;
  readonly findings: readonly Finding[];
}

/** Maximum number of simulations of one transaction while others keep changing its accounts. */
const SIMULATIONS_MAX = 3;

/**
 * Simulates a transaction and compares the result with its instructions. Reading the accounts and simulating
 * are two calls. Changes by others in between look like differences, and disappear on another attempt.
 */
export async function simulateExplained(tried: ReadSubject): Promise<ExplainedSimulation> {
  const announced = announcedBy(tried);
  for (let simulation = 1; ; simulation++) {
    const { summary, accounts } = await run(tried);
    const gaps = compareSimulation(announced, accounts, tried.book);
    const moved = gaps.length === 0 ? NOTHING_MOVED : await movedMeanwhile(tried, accounts);
    const isSettled = gaps.every(({ address }) => !moved.has(address));
    if (!isSettled && simulation < SIMULATIONS_MAX) continue;
    const findings = gaps.map((gap) =>
      gapFinding(gap, moved.has(gap.address) && announced.carriers.has(gap.address)),
    );
    return { summary, findings: [...outcomeFindings(summary), ...findings] };
  }
}

const NOTHING_MOVED: ReadonlySet<Address> = new Set();

function run({ chain, node, transaction, explained, token }: ReadSubject): Promise<SimulationOutcome> {
  const watch = explained.accounts.flatMap(({ address, writable }) =>
    writable && address !== null && isReadable(address) ? [address] : [],
  );
  const { layout } = chain;
  const { wire } = transaction;
  return runSimulation({ node, layout, wire, watch, programs: programsOf(transaction), token });
}

function outcomeFindings({ status, error }: SimulationSummary): Finding[] {
  switch (status) {
    case 'succeeds':
      return [];
    case 'fails':
      return [caution('TRIAL_FAILS', `Sent now it would fail: ${error?.message}`)];
    case 'unavailable':
      return [caution('TRIAL_UNAVAILABLE', `${UNCONFIRMED}: ${error?.message}`)];
  }
}

const UNCONFIRMED = 'It could not be simulated, so nothing confirms its instructions';

/**
 * The vault of a busy mint changes all the time. Only there a difference that others may have caused is not a
 * danger.
 */
function gapFinding({ message, mayBeRent }: SimulationGap, isBusyCarrier: boolean): Finding {
  const cannot = 'so the simulation cannot be compared with the instructions';
  if (mayBeRent) {
    return caution('TRIAL_UNSETTLED', `The rent of the cluster cannot be read, ${cannot}: ${message}.`);
  }
  if (isBusyCarrier) {
    return caution('TRIAL_UNSETTLED', `Others are changing the same account, ${cannot}: ${message}.`);
  }
  return danger('TRIAL_DIFFERS', `A simulation has other effects than its instructions say: ${message}.`);
}

function announcedBy({ location, transaction, explained }: ReadSubject): AnnouncedEffects {
  return {
    rawEffects: explained.rawEffects,
    location,
    feePayer: transaction.staticKeys[0] as Address,
    signers: new Set(transaction.staticKeys.slice(0, transaction.requiredSignatures)),
    networkFeeMax: location === 'base' ? explained.networkFeeMax : 0n,
    carriers: carriersOf(explained),
    shuttleEatas: new Set(shuttlesOf(explained).map(({ shuttleEata }) => shuttleEata)),
  };
}

/**
 * The accounts that changed on the ledger since they were read, such as the vault of a busy mint. Their
 * differences prove nothing about this transaction.
 */
async function movedMeanwhile(
  { node, token }: ReadSubject,
  accounts: readonly SimulatedAccount[],
): Promise<ReadonlySet<Address>> {
  const addresses = accounts.map(({ address }) => address);
  try {
    const now = await node.getAccounts(addresses, token);
    const moved = accounts.filter(({ before }, index) => !isSame(before, now[index] ?? null));
    return new Set(moved.map(({ address }) => address));
  } catch (error) {
    if (isServiceError(error)) return new Set();
    throw error;
  }
}

function isSame(before: Account | null, now: Account | null): boolean {
  if (before === null || now === null) return before === now;
  return (
    before.lamports === now.lamports &&
    before.owner === now.owner &&
    Buffer.compare(before.data, now.data) === 0
  );
}
