import type { Chain, LedgerClient } from '../../../chain/chain.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import type { Transaction } from '../../../solana/transaction.ts';
import { isReadable } from '../../accounts/token-account.ts';
import type { Location } from '../../building/built-transaction.ts';
import {
  programsOf,
  runSimulation,
  type SimulatedAccount,
  type SimulationOutcome,
  type SimulationSummary,
} from '../../simulation/with-simulation.ts';
import type { AddressBook } from '../address-book.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import type { Finding, FindingCode } from '../finding.ts';
import { networkFeeMax } from '../findings/cost-findings.ts';
import { shuttleEatasOf } from '../state/faults.ts';
import {
  type AnnouncedEffects,
  carriersOf,
  compareSimulation,
  type SimulationGap,
} from './compare-simulation.ts';

/** An explained transaction to be simulated. */
interface SimulatedTransaction {
  readonly chain: Chain;
  /** The ledger it is for. */
  readonly node: LedgerClient;
  readonly location: Location;
  readonly transaction: Transaction;
  readonly explained: ExplainedCalls;
  readonly book: AddressBook;
  readonly token: string | undefined;
}

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
export async function simulateExplained(tried: SimulatedTransaction): Promise<ExplainedSimulation> {
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

function run({
  chain,
  node,
  transaction,
  explained,
  token,
}: SimulatedTransaction): Promise<SimulationOutcome> {
  const watch = explained.accounts.flatMap(({ address, writable }) =>
    writable && address !== null && isReadable(address) ? [address] : [],
  );
  const { layout } = chain;
  return runSimulation({
    node,
    layout,
    wire: transaction.wire,
    watch,
    programs: programsOf(transaction),
    token,
  });
}

function outcomeFindings({ status, error }: SimulationSummary): Finding[] {
  switch (status) {
    case 'succeeds':
      return [];
    case 'fails':
      return [caution('TRIAL_FAILS', `Sent now it would fail: ${error?.message}`)];
    case 'unavailable':
      return [
        caution(
          'TRIAL_UNAVAILABLE',
          `It could not be simulated, so nothing confirms its instructions: ${error?.message}`,
        ),
      ];
  }
}

/**
 * The vault of a busy mint changes all the time. Only there a difference that others may have caused is not a
 * danger.
 */
function gapFinding({ message, mayBeRent }: SimulationGap, isBusyCarrier: boolean): Finding {
  if (mayBeRent) {
    return caution(
      'TRIAL_UNSETTLED',
      `The rent of the cluster cannot be read, so the simulation cannot be compared with the instructions: ${message}.`,
    );
  }
  if (isBusyCarrier) {
    return caution(
      'TRIAL_UNSETTLED',
      `Others are changing the same account, so the simulation cannot be compared with the instructions: ${message}.`,
    );
  }
  return {
    level: 'danger',
    code: 'TRIAL_DIFFERS',
    message: `A simulation has other effects than its instructions say: ${message}.`,
  };
}

const caution = (code: FindingCode, message: string): Finding => ({ level: 'caution', code, message });

function announcedBy({ location, transaction, explained }: SimulatedTransaction): AnnouncedEffects {
  const calls = explained.calls.map(({ call }) => call);
  return {
    rawEffects: explained.rawEffects,
    location,
    feePayer: transaction.staticKeys[0] as Address,
    signers: new Set(transaction.staticKeys.slice(0, transaction.requiredSignatures)),
    networkFeeMax: location === 'base' ? networkFeeMax(transaction, calls) : 0n,
    carriers: carriersOf(explained),
    shuttleEatas: shuttleEatasOf(explained),
  };
}

/**
 * The accounts that changed on the ledger since they were read, such as the vault of a busy mint. Their
 * differences prove nothing about this transaction.
 */
async function movedMeanwhile(
  { node, token }: SimulatedTransaction,
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
