import { describe, expect, it } from 'vitest';
import { BPF_LOADER_2 } from '../../programs/addresses.ts';
import { ACCOUNTS, littleEndian, parseCall } from '../testing/parse-call.ts';

const [A] = ACCOUNTS;
const write = [...littleEndian(0, 4), ...littleEndian(4242, 4), ...littleEndian(3, 8), 1, 2, 3];

describe('BPF loader instructions', () => {
  it('show what is written where', () => {
    expect(parseCall(BPF_LOADER_2, 1, write)).toEqual({
      info: { account: A, bytes: 'AQID', offset: 4242 },
      type: 'write',
    });
    expect(parseCall(BPF_LOADER_2, 0, write)).toBe('not parsed');
    expect(parseCall(BPF_LOADER_2, 1, write.slice(0, -1))).toBe('not parsed');
  });

  it('show the end of writing', () => {
    expect(parseCall(BPF_LOADER_2, 2, littleEndian(1, 4))).toEqual({
      info: { account: A },
      type: 'finalize',
    });
    expect(parseCall(BPF_LOADER_2, 1, littleEndian(1, 4))).toBe('not parsed');
    expect(parseCall(BPF_LOADER_2, 2, littleEndian(2, 4))).toBe('not parsed');
  });
});
