import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { version1Of } from '../ledger/testing/version-1.ts';
import { LOCALNET_VALIDATOR, USDC_MINT } from '../programs/addresses.ts';
import { transferLamports } from '../programs/system.ts';
import { decodeTransaction } from '../solana/transaction.ts';
import type { Segment } from './answers.ts';
import { cutTransaction } from './segments.ts';

import layoutA from '../../test/vectors/layout-a.json' with { type: 'json' };
import layoutB from '../../test/vectors/layout-b.json' with { type: 'json' };

/** Every transaction of the vectors, legacy and v0, and one of version 1, as bytes. */
const TRANSACTIONS: readonly Uint8Array[] = [
  ...[
    ...new Set(JSON.stringify([layoutA, layoutB]).match(/"transaction":"[A-Za-z0-9+/=]{100,}"/g) ?? []),
  ].map((text) => new Uint8Array(Buffer.from(text.slice('"transaction":"'.length, -1), 'base64'))),
  version1Of({
    feePayer: LOCALNET_VALIDATOR,
    blockhash: LOCALNET_VALIDATOR,
    instructions: [1n, 2n].map((amount) => transferLamports(LOCALNET_VALIDATOR, USDC_MINT, amount)),
    priorityFee: 5n,
  }),
];

/** Whether segments cover so many bytes, each of them once and in order. */
function covers(segments: readonly Segment[], byteCount: number): boolean {
  let at = 0;
  for (const { offset, length } of segments) {
    if (offset !== at || length <= 0) return false;
    at += length;
  }
  return at === byteCount;
}

describe('the segments of a transaction', () => {
  it('cover every byte of a transaction of each version, and leave none of them undecoded', () => {
    const versions = TRANSACTIONS.map((bytes) => decodeTransaction(bytes).version);
    expect(versions).toContain('legacy');
    expect(versions).toContain(0);
    expect(versions).toContain(1);
    for (const bytes of TRANSACTIONS) {
      const segments = cutTransaction(bytes);
      expect(covers(segments, bytes.length)).toBe(true);
      expect(segments.map(({ field }) => field)).not.toContain('notDecoded');
    }
  });

  it('say what the parser of transactions reads', () => {
    for (const bytes of TRANSACTIONS) {
      const { staticKeys, instructions, lookups } = decodeTransaction(bytes);
      const segments = cutTransaction(bytes);
      const valuesOf = (field: string): string[] =>
        segments.filter((segment) => segment.field === field).map(({ value }) => value);
      expect(valuesOf('account')).toEqual(staticKeys);
      expect(valuesOf('program')).toEqual(
        instructions.map(({ programIdIndex }) => staticKeys[programIdIndex]),
      );
      expect(valuesOf('dataLength')).toEqual(instructions.map(({ data }) => String(data.length)));
      expect(valuesOf('lookupTable')).toEqual(lookups.map(({ table }) => table));
    }
  });

  it('name the fields of known instructions, and the roles of their accounts', () => {
    const words = TRANSACTIONS.flatMap((bytes) => cutTransaction(bytes)).map(({ meaning }) => meaning);
    expect(words).toContain('deposit: which instruction it is');
    expect(words).toContain('Amount');
    expect(words).toContain('Signature of the fee payer');
    expect(words).toContain('Account 0: signs and pays the fee');
    expect(words.some((meaning) => meaning.startsWith('Its account 1: '))).toBe(true);
    expect(words.some((meaning) => meaning.endsWith('its program, ephemeral SPL token program'))).toBe(true);
  });

  it('end with one that is not decoded, wherever the form ends', () => {
    const [bytes] = TRANSACTIONS as [Uint8Array];
    for (let end = 0; end < bytes.length; end += 1) {
      const segments = cutTransaction(bytes.subarray(0, end));
      expect(covers(segments, end), `${end} bytes`).toBe(true);
    }
    const longer = Uint8Array.of(...bytes, 1, 2, 3);
    expect(cutTransaction(longer).at(-1)).toEqual({
      offset: bytes.length,
      length: 3,
      field: 'notDecoded',
      value: '010203',
      meaning: 'not decoded',
      depth: 0,
    });
    expect(cutTransaction(Uint8Array.of(0x82, 1))).toMatchObject([{ field: 'notDecoded', length: 2 }]);
  });

  it('cover hostile bytes', () => {
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .tuple(fc.constantFrom(...TRANSACTIONS), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }))
        .map(([bytes, changes]) => {
          const changed = new Uint8Array(bytes);
          for (const [at, byte] of changes) changed[at % changed.length] = byte;
          return changed;
        }),
    );
    fc.assert(
      fc.property(anyBytes, (bytes) => covers(cutTransaction(bytes), bytes.length)),
      { numRuns: 2_000 },
    );
  });
});
