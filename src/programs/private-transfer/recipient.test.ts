import { ed25519, ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js';
import { describe, expect, it } from 'vitest';
import { isServiceError } from '../../errors/service-error.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { deriveVault } from '../ephemeral-token/pdas.ts';
import { recipientOf } from './seal-transfer.ts';

const VALIDATOR = 'MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57' as Address;
const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const littleEndian = (value: bigint): Uint8Array =>
  bytesOf(value.toString(16).padStart(64, '0')).toReversed();

const P = 2n ** 255n - 19n;
const torsion = ED25519_TORSION_SUBGROUP.map(bytesOf);
const point = ed25519.Point.fromBytes(bytesOf(ed25519.Point.BASE.toHex()));
const ofMixedOrder = torsion.slice(1).map((bytes) => point.add(ed25519.Point.fromBytes(bytes)).toBytes());

const REFUSED: readonly (readonly [string, Uint8Array])[] = [
  ...torsion.map((bytes, index) => [`point ${index} of small order`, bytes] as const),
  ...ofMixedOrder.map((bytes, index) => [`point ${index} of mixed order`, bytes] as const),
  ['the identity, not canonical', littleEndian(P + 1n)],
  ['a point of order 4, not canonical', littleEndian(P)],
  ['the identity with a sign', littleEndian(1n + (1n << 255n))],
  ['an address off the curve', addressBytes(deriveVault(VALIDATOR).address)],
  ['all ones', new Uint8Array(32).fill(0xff)],
];

describe('recipientOf', () => {
  it('gives the X25519 form of a public key', () => {
    expect(recipientOf(VALIDATOR)).toMatchObject({ validator: VALIDATOR });
    // The base points of the two curves are each other's image (RFC 7748, section 4.1).
    expect(recipientOf(addressOf(point.toBytes())).boxKey.bytes).toEqual(littleEndian(9n));
  });

  it.each(REFUSED)('rejects %s', (_, bytes) => {
    const refusal = catchError(() => recipientOf(addressOf(bytes)));
    expect(isServiceError(refusal, 'INVALID_ARGUMENTS')).toBe(true);
    expect(refusal).toMatchObject({ context: { field: 'validator', validator: addressOf(bytes) } });
  });
});

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
