import { describe, expect, it } from 'vitest';
import {
  DELEGATION_PROGRAM,
  MAGIC_CONTEXT,
  MAGIC_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../../programs/addresses.ts';
import { deriveEphemeralBalance } from '../../../programs/delegation/pdas.ts';
import { concat, u32, u64 } from '../../../programs/instruction-data.ts';
import { type Instruction, readonly, writable, writableSigner } from '../../../solana/instruction.ts';
import { explainInstructions, found, key, OWNER, words } from '../testing/explain-instructions.ts';

const schedule = (tag: number): Instruction => ({
  programId: MAGIC_PROGRAM,
  accounts: [writableSigner(OWNER), writable(MAGIC_CONTEXT), writable(key(5))],
  data: u32(tag),
});

describe('a settlement requested from the rollup directly', () => {
  it.each([
    [1, 'on the base ledger:'],
    [2, 'on the base ledger and to return them:'],
  ])('is a caution by instruction %i', (tag, why) => {
    const explained = explainInstructions([schedule(tag)], { location: 'ephemeral' });
    expect(found(explained)).toEqual(['caution SETTLEMENT_REQUESTED']);
    expect(words(explained)).toContain(why);
    expect(explained.calls[0]?.text).toContain(key(5));
  });
});

describe('a rollup escrow that is closed', () => {
  it('is a danger, with all its lamports in the effects', () => {
    const escrow = deriveEphemeralBalance(OWNER, 255).address;
    const close: Instruction = {
      programId: DELEGATION_PROGRAM,
      accounts: [writableSigner(OWNER), writable(escrow), readonly(SYSTEM_PROGRAM)],
      data: concat(u64(11n), Uint8Array.of(255)),
    };
    const account = {
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      lamports: 5_000_000n,
      executable: false,
      rentEpoch: 0n,
    };
    const explained = explainInstructions([close], { accounts: new Map([[escrow, account]]) });
    expect(found(explained)).toEqual(['danger DANGEROUS_INSTRUCTION']);
    expect(explained.effects.lamports).toEqual([
      { address: escrow, change: -5_000_000n },
      { address: OWNER, change: 5_000_000n },
    ]);
  });
});
