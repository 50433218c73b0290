import type { Address } from '../../solana/address.ts';
import type { Intent } from '../books/intent.ts';
import { readTokenAmount } from '../../ledger/state/token-keys.ts';
import type { Projection } from '../projection/projection.ts';
import { eataAmount } from '../projection/projection.ts';
import { planStep, type Step } from './batch.ts';
import { readDelegationState } from './delegation-state.ts';
import { paidOutEntries, payoutsOf, projectionOfQueue } from './payouts.ts';
import type { Commitment } from './settlement-transaction.ts';
import type { Ledgers } from './claim.ts';
import type { MintKeys } from './solvency.ts';

/** What an intent comes to as the ledgers are now. */
export interface IntentPlan {
  readonly commitments: readonly Commitment[];
}

/** Why an intent cannot be carried out as the ledgers are now. */
interface Refusal {
  readonly refusal: string;
}

/**
 * Plans an intent; a refusal when there is nothing left of what it is about, and null when an account it
 * needs cannot be read on base at present.
 */
export function planIntent(intent: Intent, ledgers: Ledgers): IntentPlan | Refusal | null {
  const commitments: Commitment[] = [];
  for (const { eata, isUndelegation } of intent.commits) {
    const projection = ledgers.projections.ofEata(eata);
    if (projection === undefined) return { refusal: 'an account to be committed is not delegated any more' };
    const step = planCommit(projection, isUndelegation, ledgers);
    if (step === null) return null;
    commitments.push(step);
  }
  for (const carrier of intent.lamports) {
    const commitment = planCarrier(carrier, ledgers);
    if (commitment === null) return null;
    commitments.push(commitment);
  }
  const isCovered = paidOutEntries(payoutsOf(intent), ledgers) !== null;
  return isCovered ? { commitments } : { refusal: 'the queue holds less than it is to pay' };
}

/** The mints whose vaults an intent touches. */
export function mintsOf(intent: Intent, projections: Ledgers['projections']): readonly MintKeys[] {
  const touched = [
    ...intent.commits.map(({ eata }) => projections.ofEata(eata)),
    ...payoutsOf(intent).map((payout) => projectionOfQueue(payout, projections)),
  ];
  const mints = new Map<Address, MintKeys>();
  for (const projection of touched) if (projection !== undefined) mints.set(projection.mint, projection);
  return [...mints.values()];
}

function planCommit(projection: Projection, isUndelegation: boolean, ledgers: Ledgers): Step | null {
  const { eata, ata } = projection;
  const onRollup = ledgers.rollup.get(ata);
  const onBase = eataAmount(ledgers.base.get(eata));
  if (onRollup === undefined || onBase === null) return null;
  return planStep(eata, readTokenAmount(onRollup.data) - onBase, isUndelegation, ledgers);
}

/** A carrier of lamports is given back with what it has left on the rollup. */
function planCarrier(account: Address, { base, rollup }: Ledgers): Commitment | null {
  const state = readDelegationState(account, base);
  const carrier = rollup.get(account);
  if (state === null || carrier === undefined) return null;
  return { ...state, lamports: carrier.lamports, data: carrier.data, isUndelegation: true };
}
