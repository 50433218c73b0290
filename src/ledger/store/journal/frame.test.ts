import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { encodeFrame, findFrame, readFrame } from './frame.ts';

const random = new SeededRandom('frames');
const SALT = 0xdead_beef;
const entries = [Buffer.from(random.bytes(40)), Buffer.alloc(0), Buffer.from(random.bytes(3))];
const frame = encodeFrame({ sequence: 2 ** 40 + 7, entries }, SALT);

describe('a frame', () => {
  it('is read as it was written, wherever it stands', () => {
    const bytes = Buffer.concat([random.bytes(11), frame, random.bytes(5)]);
    expect(readFrame(bytes, 11, SALT)).toEqual({ sequence: 2 ** 40 + 7, entries, end: 11 + frame.length });
  });

  it('is not one when it was cut short at any byte', () => {
    for (let length = 0; length < frame.length; length++) {
      expect(readFrame(frame.subarray(0, length), 0, SALT)).toBeNull();
    }
  });

  it('is not one when any of its bits is another', () => {
    for (let at = 0; at < frame.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const flipped = Buffer.from(frame);
        flipped[at] = (flipped[at] as number) ^ (1 << bit);
        expect(readFrame(flipped, 0, SALT)).toBeNull();
      }
    }
  });

  it('is not one in a segment with another salt', () => {
    expect(readFrame(frame, 0, SALT + 1)).toBeNull();
  });

  it.each([
    ['zeros', Buffer.alloc(4_096)],
    ['ones', Buffer.alloc(4_096, 0xff)],
  ])('is not made of %s', (_, bytes) => {
    expect(readFrame(bytes, 0, SALT)).toBeNull();
    expect(readFrame(bytes, 0, 0)).toBeNull();
    expect(findFrame(bytes, 0, 0, 0)).toBeNull();
  });
});

describe('findFrame', () => {
  const bytes = Buffer.concat([random.bytes(33), frame, random.bytes(5)]);

  it('finds a frame at any place', () => {
    expect(findFrame(bytes, 0, SALT, 2 ** 40)).toBe(33);
    expect(findFrame(bytes, 34, SALT, 2 ** 40)).toBeNull();
  });

  it('looks for later sequences only, and for none that cannot be', () => {
    expect(findFrame(bytes, 0, SALT, 2 ** 40 + 7)).toBeNull();
    expect(findFrame(bytes, 0, SALT, 5)).toBeNull();
  });
});
