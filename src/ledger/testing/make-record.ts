import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { TransactionRecord } from '../ledger.ts';
import { SeededRandom } from './seeded-random.ts';

/** Creates a record with a value in almost every field, different for each seed. */
export function makeRecord(
  seed: string,
  place: { readonly slot: number; readonly index: number },
): TransactionRecord {
  const random = new SeededRandom(seed);
  const address = addressOf(random.bytes(32));
  const balance = { accountIndex: 1, mint: address, owner: address, programId: TOKEN_PROGRAM, decimals: 6 };
  return {
    err: { InstructionError: [0, { Custom: 7 }] },
    fee: 5_000n,
    preBalances: [0xffff_ffff_ffff_ffffn, 0n],
    postBalances: [1n, 2n],
    preTokenBalances: [],
    postTokenBalances: [{ ...balance, amount: 0xffff_ffff_ffff_ffffn }],
    innerInstructions: [
      {
        index: 0,
        instructions: [
          { programIdIndex: 1, accounts: Uint8Array.of(0, 1), data: random.bytes(9), stackHeight: 2 },
        ],
      },
    ],
    logs: ['Program log: ∆ unicode too'],
    loadedAddresses: { writable: [address], readonly: [] },
    returnData: { programId: address, data: Uint8Array.of(1) },
    computeUnits: 1_234,
    loadedAccountsDataSize: 206,
    signature: encodeBase58(random.bytes(64)),
    ...place,
    blockTime: 1_767_225_600,
    wire: random.bytes(200),
  };
}
