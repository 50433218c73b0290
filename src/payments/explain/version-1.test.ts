import { describe, expect, it } from 'vitest';
import { modelOf, wireOfModel } from '../../../test/hostile/mutation/message-model.ts';
import { lengthOf } from '../../../test/length.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { asVersion1, version1Of } from '../../ledger/testing/version-1.ts';
import { COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { transferTokens } from '../../programs/token/instructions.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { decodeTransaction, isSane, type Transaction, WireError } from '../../solana/transaction.ts';
import { explainCalls, type ExplainedCalls } from './explain-calls.ts';
import { contextOf, found, OWNER, THIEF } from './testing/explain-instructions.ts';
import { VECTOR_TRANSACTIONS } from './testing/vector-transactions.ts';

const BLOCKHASH = encodeBase58(new Uint8Array(32).fill(7));

/** The explanation of a transaction without its fee, which each version sets in its own way. */
function explained(transaction: Transaction): Pick<ExplainedCalls, 'effects'> & { readonly found: string[] } {
  const all = explainCalls(transaction, contextOf());
  const texts = all.calls.map(({ text }) => text);
  const codes = found(all).filter((each) => !each.endsWith('HIGH_NETWORK_FEE'));
  return { effects: all.effects, found: [...codes.toSorted(), ...texts] };
}

/** The legacy transaction of the same message. */
const legacyTwin = ({ wire }: Transaction): Transaction =>
  decodeTransaction(wireOfModel({ ...modelOf(wire), version: 'legacy' }));

const drainer = transferTokens(
  TOKEN_PROGRAM,
  {
    source: deriveAta(OWNER, USDC_MINT, TOKEN_PROGRAM).address,
    destination: THIEF,
    authority: OWNER,
  },
  (1n << 64n) - 1n,
);

describe('a transaction of version 1', () => {
  it.each(VECTOR_TRANSACTIONS.map((vector) => [`${vector.id} ${vector.op}`, vector] as const))(
    'is explained as its legacy twin: %s',
    (_, vector) => {
      const legacy = decodeTransaction(new Uint8Array(Buffer.from(vector.transactionBase64, 'base64')));
      const twin = decodeTransaction(asVersion1(legacy));
      expect(isSane(twin)).toBe(true);
      expect(explained(twin)).toEqual(explained(legacy));
    },
  );

  it('has its priority fee in its config, and ignores compute budget instructions', () => {
    const price = {
      programId: COMPUTE_BUDGET_PROGRAM,
      accounts: [],
      data: Uint8Array.of(3, 0, 0, 0, 0, 0, 1, 0, 0),
    };
    const codesOf = (priorityFee: bigint) => {
      const source = { feePayer: OWNER, blockhash: BLOCKHASH, instructions: [price, drainer], priorityFee };
      return found(explainCalls(decodeTransaction(version1Of(source)), contextOf()));
    };
    expect(codesOf(9_000_000n)).not.toContain('danger HIGH_NETWORK_FEE');
    expect(codesOf(10_000_000n)).toContain('danger HIGH_NETWORK_FEE');
  });

  const MUTATIONS = lengthOf({ short: 2_000, long: 100_000 });

  it(`is explained like its legacy twin, or not at all, after ${MUTATIONS} mutations of its bytes`, () => {
    const random = new SeededRandom('version 1');
    const instructions = [drainer, { ...drainer, data: Uint8Array.of(...drainer.data, 0) }];
    const samples = [
      version1Of({ feePayer: OWNER, blockhash: BLOCKHASH, instructions: [drainer], priorityFee: 5n }),
      version1Of({ feePayer: OWNER, blockhash: BLOCKHASH, instructions, loadedBytes: null }),
    ];
    let count = 0;
    for (let round = 0; round < MUTATIONS; round++) {
      const bytes = Uint8Array.from(samples[round % samples.length] as Uint8Array);
      for (let change = random.integer(3); change >= 0; change--) {
        // What comes before the signatures decides what it is.
        bytes[1 + random.integer(bytes.length - 65)] = random.integer(256);
      }
      const transaction = tryDecode(bytes.subarray(0, bytes.length - (round % 50 === 0 ? 1 : 0)));
      if (transaction?.version !== 1) continue;
      count++;
      expect(explained(transaction)).toEqual(explained(legacyTwin(transaction)));
    }
    expect(count).toBeGreaterThan(MUTATIONS / 5);
  });
});

function tryDecode(bytes: Uint8Array): Transaction | null {
  try {
    const transaction = decodeTransaction(bytes);
    return isSane(transaction) ? transaction : null;
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
}
