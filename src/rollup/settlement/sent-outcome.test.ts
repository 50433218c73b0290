import { describe, expect, it } from 'vitest';
import { Accounts } from '../../ledger/state/accounts.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { outcomeOf } from './endings.ts';

/** Sent in slot 100, and base has forgotten what landed before slot 200. */
const SENT = { signature: 'signature', wire: new Uint8Array(0), slot: 100n };

describe('the outcome of an intent after base dropped its history', () => {
  const random = new SeededRandom('outcomes');
  const [eata, carrier] = [addressOf(random.bytes(32)), addressOf(random.bytes(32))] as const;
  /** Delegated accounts, each with the slot of its delegation. */
  const outcome = (
    held: readonly Address[],
    delegated: ReadonlyMap<Address, number>,
    { sent, historyStart } = { sent: SENT, historyStart: 200 },
  ) => {
    const accounts = new Accounts();
    for (const [address, slot] of delegated) {
      const data = new Uint8Array(96);
      const view = new DataView(data.buffer);
      view.setBigUint64(0, 100n, true);
      view.setBigUint64(72, BigInt(slot), true);
      const record = { lamports: 1n, owner: DELEGATION_PROGRAM, executable: false, data };
      accounts.set(deriveDelegationRecord(address).address, { ...record, rentEpoch: RENT_EXEMPT_EPOCH });
    }
    const commits = held.map((each) => ({ eata: each, isUndelegation: true }));
    const base = { state: () => accounts, historyStart: () => historyStart, getTransaction: () => null };
    return outcomeOf({ sent, commits, lamports: [] }, base).kind;
  };

  it('is open while everything it returns is still delegated', () => {
    expect(outcome([eata], new Map([[eata, 90]]))).toBe('open');
    expect(
      outcome(
        [eata, carrier],
        new Map([
          [eata, 90],
          [carrier, 100],
        ]),
      ),
    ).toBe('open');
  });

  it('is executed if its accounts were returned, even if they were delegated again since', () => {
    expect(outcome([eata], new Map())).toBe('carried out');
    expect(outcome([eata], new Map([[eata, 101]]))).toBe('carried out');
  });

  it('is unknown if it returns nothing, or if only a part was returned', () => {
    expect(outcome([], new Map())).toBe('unknown');
    expect(outcome([eata, carrier], new Map([[eata, 90]]))).toBe('unknown');
  });
});
