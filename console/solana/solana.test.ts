import { getBase58Decoder } from '@solana/kit';
import { assert, asyncProperty, property, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveAta as ataOfProject } from '../../src/programs/associated-token.ts';
import { TOKEN_PROGRAM as TOKEN } from '../../src/programs/addresses.ts';
import {
  deriveEata as eataOfProject,
  deriveVault as vaultOfProject,
} from '../../src/programs/ephemeral-token/pdas.ts';
import { addressOf } from '../../src/solana/address.ts';
import { isOnCurve as isOnCurveOfProject } from '../../src/solana/curve.ts';
import { decodeBase58 } from '../parts/base58.ts';
import { deriveAta, deriveEata, deriveVault } from './addresses.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { encodeBase58 } from './base58.ts';
import { isOnCurve } from './curve.ts';

const bytes32 = uint8Array({ minLength: 32, maxLength: 32 });

describe('base58', () => {
  it('writes what kit writes, and what the page itself reads', () => {
    assert(
      property(uint8Array({ maxLength: 64 }), (bytes) => {
        const text = encodeBase58(bytes);
        expect(text).toBe(getBase58Decoder().decode(bytes));
        expect(decodeBase58(text)).toEqual(bytes);
      }),
    );
  });
});

describe('base64', () => {
  it('reads what it writes, with white space in it as well', () => {
    assert(
      property(uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(text.replaceAll(/.{40}/g, '$&\n'))).toEqual(bytes);
      }),
    );
  });

  it('is not what has other characters, or an end that is none', () => {
    expect(['', '  ', 'a', 'ab=c', 'a-b_', '{"a":1}'].map(decodeBase64)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('addresses', () => {
  it('lie on the curve exactly where the service says that they do', () => {
    assert(
      property(bytes32, (bytes) => {
        expect(isOnCurve(bytes)).toBe(isOnCurveOfProject(bytes));
      }),
    );
  });

  it('of token accounts, eATAs and vaults are those that the service derives', async () => {
    await assert(
      asyncProperty(bytes32, bytes32, async (first, second) => {
        const [owner, mint] = [addressOf(first), addressOf(second)];
        expect(await deriveAta(owner, mint)).toBe(ataOfProject(owner, mint, TOKEN).address);
        expect(await deriveEata(owner, mint)).toBe(eataOfProject(owner, mint).address);
        expect(await deriveVault(mint)).toBe(vaultOfProject(mint).address);
      }),
      { numRuns: 20 },
    );
  });
});
