// Records in test/vectors/on-curve.json which of 200,000 strings are points on the curve according to
// web3.js. The tests read that file, because computing it takes a minute: tsx scripts/record-on-curve.ts
import { PublicKey } from '@solana/web3.js';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const COUNT = 200_000;

const bits = new Uint8Array(COUNT / 8);
for (let i = 0; i < COUNT; i++) {
  const string = createHash('sha256').update(`curve ${i}`).digest();
  if (PublicKey.isOnCurve(string)) (bits[i >> 3] as number) |= 1 << (i & 7);
}
const vector = {
  schema: 'on-curve/1',
  recordedFrom: '@solana/web3.js 1.99.0 PublicKey.isOnCurve',
  strings: 'sha256 of "curve N", N from 0 on; bit N % 8 of byte N / 8 says whether it is a point',
  count: COUNT,
  bits: Buffer.from(bits).toString('base64'),
};
writeFileSync(new URL('../test/vectors/on-curve.json', import.meta.url), `${JSON.stringify(vector)}\n`);
