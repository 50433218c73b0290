import { describe, expect, it } from 'vitest';
import { systemRandom } from '../ports/random.ts';
import { RequestIds } from './request-ids.ts';

describe('RequestIds', () => {
  it('makes 16 characters of base64url, never the same again', () => {
    const ids = new RequestIds(systemRandom);
    const made = Array.from({ length: 1_000 }, () => ids.next());
    for (const id of made) expect(id).toMatch(/^[A-Za-z0-9_-]{16}$/);
    expect(new Set(made).size).toBe(made.length);
  });

  it('uses every byte that it draws once', () => {
    const drawn: Uint8Array[] = [];
    const ids = new RequestIds({
      bytes: (length) => {
        drawn.push(Uint8Array.from(systemRandom.bytes(length)));
        return drawn.at(-1) as Uint8Array;
      },
    });
    const first = ids.next();
    const made = [first];
    while (drawn.length === 1) made.push(ids.next());
    expect(made.slice(0, -1).join('')).toBe(Buffer.from(drawn[0] as Uint8Array).toString('base64url'));
  });
});
