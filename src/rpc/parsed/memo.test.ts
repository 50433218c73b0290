import { describe, expect, it } from 'vitest';
import { isAddress } from '../../solana/address.ts';
import { parseCall } from '../testing/parse-call.ts';
import { MEMO_PROGRAMS } from './parse-instruction.ts';

describe('memos', () => {
  it.each(MEMO_PROGRAMS)('are shown as their text for the program %s', (program) => {
    expect(isAddress(program)).toBe(true);
    expect(parseCall(program, 0, Buffer.from('Order #1042 🦖'))).toBe('Order #1042 🦖');
    expect(parseCall(program, 1, Buffer.from(''))).toBe('');
  });

  it('are not parsed when they are not UTF-8', () => {
    for (const program of MEMO_PROGRAMS) expect(parseCall(program, 0, [0x80])).toBe('not parsed');
  });
});
