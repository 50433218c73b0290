import { describe, expect, it } from 'vitest';
import type { Address } from '../../../solana/address.ts';
import { decodeTransaction } from '../../../solana/transaction.ts';
import { accountsOf, callsOf } from '../call.ts';
import { explainCalls } from '../explain-calls.ts';
import { contextOf } from '../testing/explain-instructions.ts';
import { VECTOR_TRANSACTIONS } from '../testing/vector-transactions.ts';

/** A deposit of layout A, without the instructions of an action. */
function deposit(without: string | null) {
  const vector = VECTOR_TRANSACTIONS.find(({ op }) => op === 'delegateSpl');
  if (vector === undefined) throw new Error('no deposit among the vectors');
  const transaction = decodeTransaction(new Uint8Array(Buffer.from(vector.transactionBase64, 'base64')));
  const owner = vector.input['owner'] as Address;
  const mint = vector.input['mint'] as Address;
  const context = contextOf({ layout: 'a', owners: [owner], mints: [mint] });
  const { calls } = explainCalls(transaction, context);
  const dropped = new Set(calls.flatMap(({ matched }, at) => (matched?.form.action === without ? [at] : [])));
  const kept = { ...transaction, instructions: transaction.instructions.filter((_, at) => !dropped.has(at)) };
  expect(callsOf(kept, accountsOf(kept, new Map()))).toHaveLength(calls.length - dropped.size);
  const { effects } = explainCalls(kept, context);
  return effects.tokens
    .filter((effect) => effect.owner === owner && (effect.change ?? 0n) > 0n)
    .map(({ location, held }) => [location, held]);
}

describe('a deposit', () => {
  it('is on the rollup once its eATA is delegated', () => {
    expect(deposit(null)).toEqual([['ephemeral', undefined]]);
  });

  it('stays on base without a delegation (bug: it was reported on the rollup)', () => {
    expect(deposit('delegateEata')).toEqual([['base', 'eata']]);
  });
});
