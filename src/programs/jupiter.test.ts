import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeJupiterRoute } from './jupiter.ts';

/** Anchor's start of an instruction's data. */
const start = (name: string): Buffer => createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);

const PLAN = Buffer.from([1, 0, 0, 0, 7, 100, 0, 1]);

function terms(): Buffer {
  const bytes = Buffer.alloc(18);
  bytes.writeBigUInt64LE(1_000_000n, 0);
  bytes.writeBigUInt64LE(2n ** 64n - 1n, 8);
  bytes.writeUInt16LE(50, 16);
  return bytes;
}

const DECODED = { amount: 1_000_000n, quotedAmount: 2n ** 64n - 1n, slippageBps: 50 };

describe('decodeJupiterRoute', () => {
  it.each([
    ['route', 'ExactIn', []],
    ['shared_accounts_route', 'ExactIn', [3]],
    ['exact_out_route', 'ExactOut', []],
    ['shared_accounts_exact_out_route', 'ExactOut', [3]],
  ])('reads the terms of %s behind its plan', (name, swapMode, id) => {
    const data = Buffer.concat([start(name), Uint8Array.from(id), PLAN, terms(), Uint8Array.of(9)]);
    expect(decodeJupiterRoute(data)).toEqual({ swapMode, ...DECODED });
  });

  it.each([
    ['route_v2', 'ExactIn', []],
    ['shared_accounts_route_v2', 'ExactIn', [3]],
    ['exact_out_route_v2', 'ExactOut', []],
    ['shared_accounts_exact_out_route_v2', 'ExactOut', [3]],
  ])('reads the terms of %s before its plan', (name, swapMode, id) => {
    const data = Buffer.concat([start(name), Uint8Array.from(id), terms(), Buffer.alloc(4), PLAN]);
    expect(decodeJupiterRoute(data)).toEqual({ swapMode, ...DECODED });
  });

  it('returns null for other instructions, and for data that is too short', () => {
    expect(decodeJupiterRoute(Buffer.concat([start('claim'), Buffer.alloc(64)]))).toBeNull();
    expect(decodeJupiterRoute(Buffer.concat([start('route'), Buffer.alloc(22)]))).toBeNull();
    expect(decodeJupiterRoute(new Uint8Array())).toBeNull();
  });
});
