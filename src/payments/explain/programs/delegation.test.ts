import { describe, expect, it } from 'vitest';
import { MAGIC_CONTEXT, MAGIC_PROGRAM } from '../../../programs/addresses.ts';
import { u32 } from '../../../programs/instruction-data.ts';
import { writable, writableSigner, type Instruction } from '../../../solana/instruction.ts';
import { explainInstructions, found, key, OWNER, words } from '../testing/explain-instructions.ts';

const schedule = (tag: number): Instruction => ({
  programId: MAGIC_PROGRAM,
  accounts: [writableSigner(OWNER), writable(MAGIC_CONTEXT), writable(key(5))],
  data: u32(tag),
});

describe('a settlement that the rollup is asked for directly', () => {
  it.each([
    [1, 'as they are:'],
    [2, 'as they are, and to be given back:'],
  ])('is a caution by instruction %i', (tag, why) => {
    const explained = explainInstructions([schedule(tag)], { location: 'ephemeral' });
    expect(found(explained)).toEqual(['caution SETTLEMENT_REQUESTED']);
    expect(words(explained)).toContain(why);
    expect(explained.calls[0]?.text).toContain(key(5));
  });
});
