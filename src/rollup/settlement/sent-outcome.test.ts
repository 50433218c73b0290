import { describe, expect, it } from 'vitest';
import { Accounts } from '../../ledger/state/accounts.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { outcomeOf } from './sent-outcome.ts';

/** Sent in slot 100, and base has forgotten what landed before slot 200. */
const SENT = { signature: 'signature', wire: new Uint8Array(0), slot: 100n };

describe('what became of an intent that base has forgotten', () => {
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

  it('was not carried out while all that it gives back is delegated as it was', () => {
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

  it('was carried out when that has been given back, also if it was delegated anew since', () => {
    expect(outcome([eata], new Map())).toBe('carried out');
    expect(outcome([eata], new Map([[eata, 101]]))).toBe('carried out');
  });

  it('is not known where it gives nothing back, or base has a part of it only', () => {
    expect(outcome([], new Map())).toBe('unknown');
    expect(outcome([eata, carrier], new Map([[eata, 90]]))).toBe('unknown');
  });

  describe('in books that have not kept the slot it was sent in', () => {
    const sent = { ...SENT, slot: 0n };
    const forgetful = { sent, historyStart: 200 };

    it('was not carried out while what it gives back is delegated (bug: a shuttle was credited twice)', () => {
      expect(outcome([eata], new Map([[eata, 90]]), forgetful)).toBe('open');
      expect(outcome([eata], new Map(), forgetful)).toBe('carried out');
    });

    it('is not known of a payment only where base has forgotten something', () => {
      expect(outcome([], new Map(), forgetful)).toBe('unknown');
      expect(outcome([], new Map(), { sent, historyStart: 0 })).toBe('open');
    });
  });
});
