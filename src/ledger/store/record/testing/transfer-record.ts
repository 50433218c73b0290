import { TOKEN_PROGRAM } from '../../../../programs/addresses.ts';
import { addressOf } from '../../../../solana/address.ts';
import { encodeBase58 } from '../../../../solana/base58.ts';
import { writable } from '../../../../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../../../solana/message.ts';
import type { TransactionRecord } from '../../../execution.ts';
import { makeRecord } from '../../../testing/make-record.ts';
import type { SeededRandom } from '../../../testing/seeded-random.ts';

/** Who pays, and the account that is paid from. */
export const PAYER = addressOf(new Uint8Array(32).fill(1));
export const SOURCE = addressOf(new Uint8Array(32).fill(2));

/** A token transfer as it lands when all goes well. */
export function transferRecord(random: Pick<SeededRandom, 'bytes'>): TransactionRecord {
  const instructions = [{ programId: TOKEN_PROGRAM, accounts: [writable(SOURCE)], data: new Uint8Array(9) }];
  const wire = encodeUnsignedTransaction(
    compileLegacyMessage({ feePayer: PAYER, blockhash: random.bytes(32), instructions }),
  );
  wire.set(random.bytes(32), 1);
  const balance = { mint: addressOf(random.bytes(32)), programId: TOKEN_PROGRAM, decimals: 6 };
  const from = { ...balance, accountIndex: 1, owner: PAYER };
  const to = { ...balance, accountIndex: 2, owner: addressOf(random.bytes(32)) };
  const lamports = [9_999_995_000n, 2_039_280n, 2_039_280n, 4_513_200n];
  return {
    ...makeRecord('transfer', { slot: 400_000_000, index: 40 }),
    err: null,
    preBalances: lamports,
    postBalances: lamports.map((each, at) => each - (at === 0 ? 5_000n : 0n)),
    preTokenBalances: [
      { ...from, amount: 1_000_000_000_000n },
      { ...to, amount: 1_000_000_000_000n },
    ],
    postTokenBalances: [
      { ...from, amount: 1_000_002_000_000n },
      { ...to, amount: 999_998_000_000n },
    ],
    innerInstructions: [],
    logs: [
      `Program ${TOKEN_PROGRAM} invoke [1]`,
      'Program log: Instruction: Transfer',
      `Program ${TOKEN_PROGRAM} consumed 4645 of 200000 compute units`,
      `Program ${TOKEN_PROGRAM} success`,
    ],
    loadedAddresses: { writable: [], readonly: [] },
    returnData: null,
    signature: encodeBase58(wire.slice(1, 65)),
    wire,
  };
}
