import { describe, expect, it } from 'vitest';
import { EPHEMERAL_TOKEN_PROGRAM, MEMO_PROGRAM, MEMO_PROGRAM_V1 } from '../../programs/addresses.ts';
import { concat, u8 } from '../../programs/instruction-data.ts';
import { addressBytes } from '../../solana/address.ts';
import { signer, writable, writableSigner, readonly, type Instruction } from '../../solana/instruction.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { explainInstructions, found, key, OWNER, words } from './testing/explain-instructions.ts';

describe('a text with characters that are not seen', () => {
  it.each([MEMO_PROGRAM, MEMO_PROGRAM_V1])('is a caution in a note by %s', (programId) => {
    const note = (text: string): Instruction => ({
      programId,
      accounts: [signer(OWNER)],
      data: new TextEncoder().encode(text),
    });
    const explained = explainInstructions([note('in\u202evoice')]);
    expect(found(explained)).toEqual(['caution INVISIBLE_CHARACTERS']);
    expect(words(explained)).toContain('"in\\u{202e}voice"');
    expect(explained.calls[0]?.text).toContain('"in\\u{202e}voice"');
    expect(found(explainInstructions([note('invoice')]))).toEqual([]);
  });

  it('is a caution in a handle', () => {
    const handle = new TextEncoder().encode('al\u200bice');
    const padded = new Uint8Array(256);
    padded[0] = handle.length;
    padded.set(handle, 1);
    const update: Instruction = {
      programId: EPHEMERAL_TOKEN_PROGRAM,
      accounts: [writableSigner(OWNER), writable(key(9)), signer(OWNER), readonly(SYSTEM_PROGRAM)],
      data: concat(u8(21), padded, u8(0), u8(1), addressBytes(key(4))),
    };
    const explained = explainInstructions([update]);
    expect(found(explained)).toContain('caution INVISIBLE_CHARACTERS');
    expect(explained.calls[0]?.text).toContain('"al\\u{200b}ice"');
  });
});
