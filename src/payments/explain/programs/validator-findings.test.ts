import { describe, expect, it } from 'vitest';
import { type Address, addressOf } from '../../../solana/address.ts';
import { decodeTransaction } from '../../../solana/transaction.ts';
import { explainCalls, type ExplainedCalls } from '../explain-calls.ts';
import { contextOf } from '../testing/explain-instructions.ts';
import { VECTOR_TRANSACTIONS, type VectorTransaction } from '../testing/vector-transactions.ts';

const OTHER = addressOf(new Uint8Array(32).fill(9));

function explainOn(vector: VectorTransaction, clusterValidator: Address | null): ExplainedCalls {
  const wire = new Uint8Array(Buffer.from(vector.transactionBase64, 'base64'));
  return explainCalls(decodeTransaction(wire), contextOf({ clusterValidator }));
}

/** Actions of the instructions about which something of this code is found at this level. */
const actionsWith = (explained: ExplainedCalls, level: string, code: string): string[] =>
  explained.findings
    .filter((finding) => finding.level === level && finding.code === code)
    .map(({ instruction }) => explained.calls[instruction as number]?.matched?.form.action as string);

/** A vector with an instruction that hands something to the validator it names, for each such instruction. */
const NAMING: readonly (readonly [action: string, vector: VectorTransaction])[] = [
  'delegate',
  'delegateEata',
  'delegateEataPermission',
  'delegateShuttle',
  'depositByShuttle',
  'withdrawByShuttle',
  'privateTransfer',
  'initTransferQueue',
  'delegateTransferQueue',
  'queueTransfer',
  'delegateStealthPool',
  'scheduleSwapTransfer',
].map((action) => {
  const vector = VECTOR_TRANSACTIONS.find(
    (candidate) =>
      typeof candidate.input['validator'] === 'string' &&
      explainOn(candidate, null).calls.some(({ matched }) => matched?.form.action === action),
  );
  if (vector === undefined) throw new Error(`no vector has ${action} with a validator`);
  return [action, vector] as const;
});

describe('a named validator', () => {
  it.each(NAMING)("is a danger in %s if the cluster's is another", (action, vector) => {
    const explained = explainOn(vector, OTHER);
    expect(actionsWith(explained, 'danger', 'OTHER_VALIDATOR')).toContain(action);
    expect(explained.findings.find(({ code }) => code === 'OTHER_VALIDATOR')?.message).toContain(OTHER);
  });

  it.each(NAMING)("is no finding in %s if it is the cluster's", (_, vector) => {
    const explained = explainOn(vector, vector.input['validator'] as Address);
    expect(explained.findings.filter(({ code }) => code === 'OTHER_VALIDATOR')).toEqual([]);
  });

  it.each(NAMING)("is a caution in %s if the cluster's own could not be read", (action, vector) => {
    const explained = explainOn(vector, null);
    expect(actionsWith(explained, 'caution', 'OTHER_VALIDATOR')).toContain(action);
    expect(actionsWith(explained, 'danger', 'OTHER_VALIDATOR')).toEqual([]);
    const about = explained.findings.find(({ code }) => code === 'OTHER_VALIDATOR');
    // Those two name a queue of the validator's instead.
    if (!['queueTransfer', 'delegateTransferQueue'].includes(action)) {
      expect(about?.message).toContain(vector.input['validator'] as string);
    }
  });

  it('is a caution if none is named, because the default of the program can be anyone', () => {
    const vector = VECTOR_TRANSACTIONS.find(({ id }) => id === 'b-pub-0072') as VectorTransaction;
    expect(actionsWith(explainOn(vector, OTHER), 'caution', 'DEFAULT_VALIDATOR')).toEqual([
      'delegateShuttle',
    ]);
  });
});
