import { expect } from 'vitest';
import type { Address } from '../../src/solana/address.ts';
import { decodeBase58 } from '../../src/solana/base58.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../src/solana/message.ts';
import { describeInstruction } from './instruction-text.ts';

import vectors from './layout-b.json' with { type: 'json' };

/** A recorded operation of the hosted API: its input and the built transaction. */
interface HostedCase<Input> {
  readonly id: string;
  readonly input: Input;
  readonly expect: {
    readonly feePayer: Address;
    readonly instructions: ReturnType<typeof describeInstruction>[];
    readonly requiredSigners: readonly Address[];
    readonly transaction: string;
    readonly size: number;
  };
}

/** Returns the hosted cases of an operation, each with its id first, for `it.each`. */
export function hostedCases<Input>(op: string): (readonly [id: string, HostedCase<Input>])[] {
  return (vectors.cases as unknown as (HostedCase<Input> & { level: string; op: string })[])
    .filter((vector) => vector.level === 'hosted' && vector.op === op)
    .map((vector) => [vector.id, vector] as const);
}

/** Expects the instructions of a case, then its whole legacy transaction, byte for byte. */
export function expectHosted(vector: HostedCase<unknown>, instructions: readonly Instruction[]): void {
  expect(instructions.map(describeInstruction)).toEqual(vector.expect.instructions);
  const message = compileLegacyMessage({
    feePayer: vector.expect.feePayer,
    blockhash: decodeBase58(vectors.blockhash),
    instructions,
  });
  expect(message.signers).toEqual(vector.expect.requiredSigners);
  const wire = encodeUnsignedTransaction(message);
  expect(wire).toHaveLength(vector.expect.size);
  expect(Buffer.from(wire).toString('base64')).toBe(vector.expect.transaction);
}
