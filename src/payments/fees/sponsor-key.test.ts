import { describe, expect, it } from 'vitest';
import { Keypair } from '../../ledger/keypair.ts';
import { addressBytes } from '../../solana/address.ts';
import { parseSponsorKey } from './sponsor-key.ts';

const seed = new Uint8Array(32).fill(171);
const { address } = new Keypair(seed);
const secret = [...seed, ...addressBytes(address)];

describe('parseSponsorKey', () => {
  it('reads what the Solana CLI writes', () => {
    expect(parseSponsorKey(JSON.stringify(secret), 'KEY')).toEqual({ seed, address });
    expect(parseSponsorKey(` ${JSON.stringify(secret, null, 2)}\n`, 'KEY').address).toBe(address);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'ab,171'],
    ['base58', '5MaiiCavjCmn9Hs1o3eznqDEhRwxo7pXiAYez7keQUviUkauRiTMD8DrESdrNjN8zd9mTmVhRvBJeg5vhyvgrAhG'],
    ['an object', JSON.stringify({ ...secret })],
    ['a byte that is too large', JSON.stringify([...secret.slice(0, 63), 256])],
    ['an invalid byte', JSON.stringify([...secret.slice(0, 63), 1.5])],
    ['a string among the bytes', JSON.stringify([...secret.slice(0, 63), '171'])],
  ])('rejects %s', (_, text) => {
    expect(() => parseSponsorKey(text, 'KEY')).toThrow(
      'KEY is not a valid Solana secret key: it must be a JSON array of 64 numbers',
    );
  });

  it.each([
    ['only the seed', secret.slice(0, 32)],
    ['an extra byte', [...secret, 0]],
    [
      'a public key that belongs to another seed',
      [...secret.slice(0, 63), ((secret[63] as number) + 1) % 256],
    ],
  ])('rejects %s', (_, bytes) => {
    expect(() => parseSponsorKey(JSON.stringify(bytes), 'KEY')).toThrow(
      'KEY is not a valid Solana secret key',
    );
  });

  it('never shows any part of the secret', () => {
    for (const text of [JSON.stringify(secret).slice(0, -1), JSON.stringify(secret.slice(0, 63))]) {
      try {
        parseSponsorKey(text, 'KEY');
        expect.unreachable();
      } catch (error) {
        expect(JSON.stringify(error) + (error as Error).message).not.toContain('171');
        expect((error as Error).cause).toBeUndefined();
      }
    }
  });
});
