import { expect, it } from 'vitest';
import { deriveTokenSecret } from './token-secret.ts';

it('the secret of tokens belongs to the ledger, and does not give the ledger’s own away', () => {
  const [one, other] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];
  expect(deriveTokenSecret(one)).toHaveLength(32);
  expect(deriveTokenSecret(one)).toEqual(deriveTokenSecret(one));
  expect(deriveTokenSecret(one)).not.toEqual(deriveTokenSecret(other));
  expect(deriveTokenSecret(one)).not.toEqual(one);
});
