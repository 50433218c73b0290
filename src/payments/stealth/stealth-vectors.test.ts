import { describe, expect, it } from 'vitest';
import { MapChain, MapRollup } from '../../../test/ports/map-chain.ts';
import { describeInstruction } from '../../../test/vectors/instruction-text.ts';
import type { Address } from '../../solana/address.ts';
import { buildTransaction } from '../building/built-transaction.ts';
import { planPoolSetup, planPoolUpdate } from '../stealth-pool.ts';
import { stealthPoolOf } from './handle.ts';

import vectors from '../../../test/vectors/layout-b.json' with { type: 'json' };

interface Vector {
  readonly id: string;
  readonly op: string;
  readonly input: {
    readonly payer: Address;
    readonly authority: Address;
    readonly handle: string;
    readonly validator: Address;
    readonly destinations: readonly Address[];
    readonly splitAcrossKeys?: boolean;
  };
  readonly expect: {
    readonly stealthPool: string;
    readonly sendTo: 'base' | 'ephemeral';
    readonly transaction: string;
    readonly requiredSigners: readonly string[];
    readonly instructions: readonly object[];
  };
}

const cases = (vectors.cases as unknown as Vector[]).filter(({ op }) => op.startsWith('stealthPool.'));
const chain = Object.assign(new MapChain(), { rollup: new MapRollup() });

describe('the stealth pools of the hosted API', () => {
  it('are two setups and two updates', () => {
    expect(cases.map(({ op }) => op.split('.')[1])).toEqual(['setup', 'setup', 'update', 'update']);
  });

  it.each(cases.map((vector) => [vector.id, vector] as const))('%s: same bytes', async (_, vector) => {
    const { op, input, expect: wanted } = vector;
    const pool = stealthPoolOf(input.handle, 'handle').address;
    expect(pool).toBe(wanted.stealthPool);
    const { destinations, splitAcrossKeys = false } = input;
    const instructions =
      op === 'stealthPool.setup'
        ? planPoolSetup({ ...input, pool }, input.validator)
        : planPoolUpdate({ ...input, pool }, { destinations, splitAcrossKeys });
    expect(instructions.map(describeInstruction)).toEqual(wanted.instructions);
    const built = await buildTransaction(chain, input.payer, instructions, { sendTo: wanted.sendTo });
    expect(built.transactionBase64).toBe(wanted.transaction);
    expect(built.requiredSigners).toEqual(wanted.requiredSigners);
  });
});
