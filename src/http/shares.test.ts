import { describe, expect, it } from 'vitest';
import { Shares } from './in-flight.ts';

/** Takes as many places as there are for clients. */
function takeAll(shares: Shares, clients: readonly string[]): number {
  let count = 0;
  for (const client of clients) {
    for (; shares.hasRoomFor(client); count++) shares.take(client);
  }
  return count;
}

describe('Shares', () => {
  it('belong to one client alone, with another quarter reserved for clients that have little', () => {
    const shares = new Shares(128);
    expect(takeAll(shares, ['noisy'])).toBe(128);
    expect(takeAll(shares, ['quiet'])).toBe(2);
    expect(takeAll(shares, ['quiet', 'noisy'])).toBe(0);
    expect(
      takeAll(
        shares,
        Array.from({ length: 40 }, (_, number) => `${number}`),
      ),
    ).toBe(30);
    expect(shares.taken).toBe(160);
  });

  it('are available again once released', () => {
    const shares = new Shares(4);
    shares.take('a', 4);
    expect([shares.hasRoomFor('a'), shares.hasRoomFor('b')]).toEqual([false, true]);
    shares.release('a', 3);
    expect(shares.hasRoomFor('a')).toBe(true);
    shares.release('a', 1);
    expect([takeAll(shares, ['a']), takeAll(shares, ['b'])]).toEqual([4, 1]);
  });
});
