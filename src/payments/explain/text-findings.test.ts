import { describe, expect, it } from 'vitest';
import { quoted } from '../../errors/quoted-text.ts';
import { MEMO_PROGRAM, MEMO_PROGRAM_V1 } from '../../programs/addresses.ts';
import { updateStealthPool } from '../../programs/ephemeral-token/layout-b/stealth-pool.ts';
import { type Instruction, signer } from '../../solana/instruction.ts';
import { explainInstructions, found, key, OWNER, words } from './testing/explain-instructions.ts';

describe('a text with invisible characters', () => {
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
});

describe('a stealth handle that looks like another one', () => {
  const setUp = (handle: string): Instruction =>
    updateStealthPool({ payer: OWNER, pool: key(9), authority: OWNER }, handle, {
      destinations: [key(4)],
      splitAcrossKeys: false,
    });

  it.each([
    ['al\u200bice', 'INVISIBLE_CHARACTERS', '"al\\u{200b}ice"'],
    ['jose\u0301', 'HANDLE_NOT_NORMALIZED', 'normalization form C'],
    ['p\u0430ypal', 'HANDLE_MIXES_SCRIPTS', 'several scripts'],
  ])('%j is a caution', (handle, code, said) => {
    const explained = explainInstructions([setUp(handle)]);
    expect(found(explained)).toContain(`caution ${code}`);
    expect(words(explained)).toContain(said);
    expect(explained.calls[0]?.text).toContain(quoted(handle));
  });

  it('is not reported otherwise', () => {
    expect(found(explainInstructions([setUp('jos\u00e9')])).join(' ')).not.toMatch(/HANDLE|INVISIBLE/);
  });
});
