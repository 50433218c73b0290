import { ed25519, ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { transferLamports } from '../../programs/system.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { readSignatures } from './call.ts';

const ORDER = ed25519.Point.Fn.ORDER;
const IDENTITY = Uint8Array.of(1, ...new Uint8Array(31));

/** An unsigned transaction that `payer` has to sign, and its message. */
function unsignedOf(payer: Address, lamports = 1n) {
  const wire = encodeUnsignedTransaction(
    compileLegacyMessage({
      feePayer: payer,
      blockhash: new Uint8Array(32).fill(1),
      instructions: [transferLamports(payer, addressOf(new Uint8Array(32).fill(2)), lamports)],
    }),
  );
  return { wire, message: wire.subarray(65) };
}

function stateOf(wire: Uint8Array, signature: Uint8Array): string | undefined {
  const signed = Uint8Array.from(wire);
  signed.set(signature, 1);
  return readSignatures(decodeTransaction(signed))[0]?.signature;
}

const numberOf = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`);

const scalarBytes = (value: bigint): Uint8Array =>
  Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex')).toReversed();

/**
 * Whether the equation of ed25519 holds, by the rules that ask least of the points. Those of OpenSSL differ
 * by Node.
 */
function fitsLoosely(address: Address, message: Uint8Array, signature: Uint8Array): boolean {
  return ed25519.verify(signature, message, addressBytes(address), { zip215: true });
}

describe('a signature that the network rejects', () => {
  it('is wrong if the public key is of small order, even if the equation holds', () => {
    const payer = addressOf(IDENTITY);
    const { wire, message } = unsignedOf(payer);
    // [S]B = R + [k]A with A the neutral element: R = B and S = 1 fit to any message.
    const signature = Buffer.concat([ed25519.Point.BASE.toBytes(), scalarBytes(1n)]);
    expect(fitsLoosely(payer, message, signature)).toBe(true);
    expect(stateOf(wire, signature)).toBe('wrong');
  });

  it('is wrong if R is of small order, even if the equation holds', () => {
    const secret = new Uint8Array(32).fill(7);
    const payer = addressOf(ed25519.getPublicKey(secret));
    const { wire, message } = unsignedOf(payer);
    const hash = createHash('sha512').update(IDENTITY).update(addressBytes(payer)).update(message).digest();
    const { scalar } = ed25519.utils.getExtendedPublicKey(secret);
    const signature = Buffer.concat([IDENTITY, scalarBytes(((numberOf(hash) % ORDER) * scalar) % ORDER)]);
    expect(fitsLoosely(payer, message, signature)).toBe(true);
    expect(stateOf(wire, signature)).toBe('wrong');
  });

  it.each(ED25519_TORSION_SUBGROUP)('is wrong for every message under the key %s', (hex) => {
    const payer = addressOf(Uint8Array.from(Buffer.from(hex, 'hex')));
    const signature = Buffer.concat([ed25519.Point.BASE.toBytes(), scalarBytes(1n)]);
    const states = Array.from({ length: 40 }, (_, index) =>
      stateOf(unsignedOf(payer, BigInt(index + 1)).wire, signature),
    );
    expect(new Set(states)).toEqual(new Set(['wrong']));
  });

  it('is wrong if the key is not a point', () => {
    const payer = addressOf(Uint8Array.of(2, ...new Uint8Array(31)));
    expect(stateOf(unsignedOf(payer).wire, new Uint8Array(64).fill(3))).toBe('wrong');
  });
});

it('calls a signature of an ordinary key valid', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const payer = addressOf(new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)));
  const { wire, message } = unsignedOf(payer);
  expect(stateOf(wire, sign(null, message, privateKey))).toBe('valid');
});
