import type { AccountChange, LedgerListener } from '../../ledger/ledger-events.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../programs/ephemeral-token/state.ts';
import type { Address } from '../../solana/address.ts';

/** What base shows of a settlement. */
export interface Settlement {
  readonly mint: Address;
  /** Of the transaction on base, base58. */
  readonly signature: string;
  readonly slot: number;
  /** `committed`: base was told a balance, and the eATA stays delegated. `settled`: it was given back. */
  readonly state: 'committed' | 'settled';
}

/** Hears of what happens on base, and tells of settlements, one for each mint and state. */
export function tellSettlements(tell: (settlement: Settlement) => void): LedgerListener {
  return (event) => {
    if (event.kind !== 'transaction') return;
    const { slot, record, changes } = event;
    const told = new Set<string>();
    for (const change of changes) {
      const settled = settledBy(change);
      if (settled === null || told.has(`${settled.mint} ${settled.state}`)) continue;
      told.add(`${settled.mint} ${settled.state}`);
      tell({ ...settled, signature: record.signature, slot });
    }
  };
}

function settledBy({ address, before, after }: AccountChange): Pick<Settlement, 'mint' | 'state'> | null {
  // What is delegated belongs to the delegation program, which gives it back to its own.
  if (before?.owner !== DELEGATION_PROGRAM || after === null) return null;
  const isBack = after.owner === EPHEMERAL_TOKEN_PROGRAM;
  if (!isBack && (after.owner !== DELEGATION_PROGRAM || isSame(before.data, after.data))) return null;
  const eata = decodeEata(after.data);
  if (eata === null || deriveEata(eata.owner, eata.mint).address !== address) return null;
  return { mint: eata.mint, state: isBack ? 'settled' : 'committed' };
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
