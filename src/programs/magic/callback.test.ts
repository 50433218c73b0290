import { expect, it } from 'vitest';
import { encodeBase58 } from '../../solana/base58.ts';
import { ByteReader } from '../../solana/byte-reader.ts';
import { encodeMagicResponse } from './magic-call.ts';

it('a response has the bytes of bincode, with and without a receipt', () => {
  const signature = new Uint8Array(64).fill(5);
  const payload = Uint8Array.of(1, 2, 3);
  const paid = new ByteReader(
    encodeMagicResponse({ ok: true, payload, error: '', receipt: encodeBase58(signature) }),
  );
  expect([paid.u32(), paid.u8(), paid.u64()]).toEqual([0, 1, 3n]);
  expect([...paid.take(3)]).toEqual([1, 2, 3]);
  expect([paid.string(), paid.u8()]).toEqual(['', 1]);
  expect(paid.take(64)).toEqual(signature);
  expect(paid.remaining).toBe(0);
  const refused = encodeMagicResponse({ ok: false, payload, error: 'Kein ❄', receipt: null });
  expect(Buffer.from(refused).toString('hex')).toBe(
    // Variant, ok, payload, error, and no receipt.
    ['00000000', '00', '0300000000000000', '010203', '0800000000000000', '4b65696e20e29d84', '00'].join(''),
  );
});
