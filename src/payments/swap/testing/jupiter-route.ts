import { createHash } from 'node:crypto';

/** Encodes the data of a Jupiter instruction with an empty route plan. */
export function jupiterRoute(amount: bigint, quoted: bigint, slippageBps: number, name = 'route'): Buffer {
  const terms = Buffer.alloc(19);
  terms.writeBigUInt64LE(amount, 0);
  terms.writeBigUInt64LE(quoted, 8);
  terms.writeUInt16LE(slippageBps, 16);
  const start = createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);
  return Buffer.concat([start, Buffer.alloc(4), terms]);
}
