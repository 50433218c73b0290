import type { TransactionError } from '../../ledger/transaction-error.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { decodeDelegationRecord } from '../../programs/delegation/state.ts';
import type { Address } from '../../solana/address.ts';
import type { BaseLedger } from '../base-ledger.ts';
import { heldBy, type Intent } from '../books/intent.ts';

/**
 * What became of the newest base transaction signed for an intent: `open` when there is none, or it has not
 * landed; `unknown` when base has forgotten what landed in that time, and nothing else tells.
 */
type SentOutcome =
  | { readonly kind: 'open' | 'carried out' | 'unknown' }
  | { readonly kind: 'refused'; readonly err: TransactionError };

const OPEN: SentOutcome = { kind: 'open' };

/**
 * Asks base what became of what was sent for an intent. Its history says so, as far back as it goes. Before
 * that its state does for what gives accounts back: nobody but the validator does that, and an intent is
 * carried out as a whole. What only pays leaves nothing that others could not have done as well.
 */
export function outcomeOf(
  intent: Pick<Intent, 'sent' | 'commits' | 'lamports'>,
  base: Pick<BaseLedger, 'state' | 'historyStart' | 'getTransaction'>,
): SentOutcome {
  const { sent } = intent;
  if (sent === null) return OPEN;
  const record = base.getTransaction(sent.signature);
  if (record !== null) {
    return record.err === null ? { kind: 'carried out' } : { kind: 'refused', err: record.err };
  }
  if (sent.slot >= BigInt(base.historyStart())) return OPEN;
  const held = heldBy(intent);
  const kept = held.filter((account) => isKeptSince(sent.slot, account, base));
  if (held.length === 0 || (kept.length > 0 && kept.length < held.length)) return { kind: 'unknown' };
  return kept.length > 0 ? OPEN : { kind: 'carried out' };
}

/**
 * Whether an account is in the delegation it was in at a slot of base. Where the books have not kept the slot
 * (0), one that is delegated counts: nobody but the validator gives it back.
 */
function isKeptSince(slot: bigint, account: Address, base: Pick<BaseLedger, 'state'>): boolean {
  const record = decodeDelegationRecord(base.state().get(deriveDelegationRecord(account).address) ?? null);
  return record !== null && (slot === 0n || record.delegationSlot <= slot);
}
