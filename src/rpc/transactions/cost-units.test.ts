import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { recordOf } from '../testing/records.ts';
import { addressFilledWith, legacyWire, transferWire } from '../testing/transactions.ts';
import { costUnits } from './account-keys.ts';

describe('costUnits()', () => {
  it("adds up what Agave's cost model charges a transfer of lamports", () => {
    // 720 for the signature, 2 x 300 for writes, 12 / 4 for data, 150 for the program, 8 for a page of
    // accounts.
    const record = recordOf(transferWire());
    expect(costUnits(decodeTransaction(record.wire), record)).toBe(1481);
  });

  it('counts pages of loaded accounts', () => {
    const record = recordOf(transferWire(), { loadedAccountsDataSize: 32 * 1024 + 1, computeUnits: 0 });
    expect(costUnits(decodeTransaction(record.wire), record)).toBe(1481 - 150 + 8);
    const empty = recordOf(transferWire(), { loadedAccountsDataSize: 0, computeUnits: 0 });
    expect(costUnits(decodeTransaction(empty.wire), empty)).toBe(1481 - 150 - 8);
  });

  it.each<[string, number]>([
    ['KeccakSecp256k11111111111111111111111111111', 6_690],
    ['Ed25519SigVerify111111111111111111111111111', 2_400],
    ['Secp256r1SigVerify1111111111111111111111111', 4_800],
  ])('counts the signatures that %s checks', (program, cost) => {
    const wire = legacyWire(addressFilledWith(1), [
      { programId: program as Address, accounts: [], data: Uint8Array.of(2, 0, 0, 0) },
      { programId: program as Address, accounts: [], data: new Uint8Array() },
    ]);
    const record = recordOf(wire, { loadedAccountsDataSize: 0, computeUnits: 0 });
    expect(costUnits(decodeTransaction(wire), record)).toBe(720 + 300 + 1 + 2 * cost);
  });
});
