import { ed25519 } from '@noble/curves/ed25519.js';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { queueOf, shuttleTransferOf } from '../../../test/vectors/derived-accounts.ts';
import { scriptedRandom } from '../../../test/vectors/scripted-random.ts';
import { systemRandom } from '../../ports/random.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { USDC_MINT } from '../addresses.ts';
import { transferByShuttle } from '../ephemeral-token/layout-b/shuttle.ts';
import {
  decodeDeliveryTerms,
  type DeliveryTerms,
  encodeDeliveryTerms,
  recipientOf,
  sealTransfer,
} from './seal-transfer.ts';
import { openTransfer } from './testing/open-transfer.ts';

import vectors from '../../../test/vectors/layout-b.json' with { type: 'json' };

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const digest = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest());
const publicKeyOf = (seed: Uint8Array): Address => addressOf(ed25519.getPublicKey(seed));

const sealedVectors = vectors.cases
  .filter(({ expect: { encrypted } }) => encrypted !== undefined)
  .map(({ id, input, expect: { encrypted, instructions } }) => {
    const fields = (encrypted ?? []).map(
      ({ instruction, offset, length, ephemeralSecretKey, plaintext }) => ({
        ephemeralSecretKey,
        plaintext,
        ciphertext: instructions?.[instruction]?.data.slice(2 * offset, 2 * (offset + length)) as string,
      }),
    );
    return { id, input, destination: fields[0], terms: fields[1], count: fields.length };
  });

describe('sealTransfer', () => {
  it('compares every encrypted field of the vectors', () => {
    expect(sealedVectors.map(({ count }) => count)).toEqual(Array.from({ length: 15 }, () => 2));
  });

  it.each(sealedVectors)('produces the bytes of $id from the same random draws', (vector) => {
    const { destination, terms, input } = vector;
    const sealed = sealTransfer(
      {
        destinationOwner: addressOf(bytesOf(destination?.plaintext as string)),
        terms: decodeDeliveryTerms(bytesOf(terms?.plaintext as string)) as DeliveryTerms,
      },
      recipientOf(input.validator as Address),
      scriptedRandom([destination?.ephemeralSecretKey as string, terms?.ephemeralSecretKey as string]),
    );
    expect(hexOf(sealed.destination)).toBe(destination?.ciphertext);
    expect(hexOf(sealed.terms)).toBe(terms?.ciphertext);
  });

  it.each(sealedVectors)('can be opened by the validator of $id', ({ destination, terms, input }) => {
    const seed = bytesOf(input.validatorSeed as string);
    expect(publicKeyOf(seed)).toBe(input.validator);
    const sealed = {
      destination: bytesOf(destination?.ciphertext as string),
      terms: bytesOf(terms?.ciphertext as string),
    };
    const opened = openTransfer(sealed, seed);
    expect(hexOf(addressBytes(opened?.destinationOwner as Address))).toBe(destination?.plaintext);
    expect(hexOf(encodeDeliveryTerms(opened?.terms as DeliveryTerms))).toBe(terms?.plaintext);
    expect(openTransfer(sealed, digest('another validator'))).toBeNull();
    expect(openTransfer({ destination: sealed.terms, terms: sealed.destination }, seed)).toBeNull();
  });

  it('never produces the same bytes twice', () => {
    const recipient = recipientOf(publicKeyOf(digest('validator')));
    const transfer = {
      destinationOwner: USDC_MINT,
      terms: { minDelayMs: 0n, maxDelayMs: 0n, split: 1, clientRefId: null },
    };
    const fields = [1, 2].flatMap(() => {
      const sealed = sealTransfer(transfer, recipient, systemRandom);
      return [hexOf(sealed.destination), hexOf(sealed.terms)];
    });
    expect(new Set(fields).size).toBe(4);
  });
});

/**
 * Programs before the exactOut byte had everything after it one byte earlier. A client that tells the two
 * layouts apart by what the data looks like takes these for the older one; the seeds were searched for that.
 */
describe.each([
  { clientRefId: null, validatorSeed: 'validator 21', draw: 'ephemeral 199', lastByte: 69, bytes: 196 },
  { clientRefId: 42n, validatorSeed: 'validator 83', draw: 'ephemeral 25', lastByte: 77, bytes: 204 },
])('a private transfer to a validator whose last byte is $lastByte', (example) => {
  const seed = digest(example.validatorSeed);
  const validator = publicKeyOf(seed);
  const owner = publicKeyOf(digest('owner'));
  const transfer = {
    destinationOwner: '63MRhjJj6SyaJbnkEREce5XYKHoSzAbSjP81hF5TXPTx' as Address,
    terms: { minDelayMs: 1n, maxDelayMs: 2n, split: 3, clientRefId: example.clientRefId },
  };
  const dataOf = (exactOut: boolean): Uint8Array =>
    transferByShuttle(
      {
        ...shuttleTransferOf({ payer: owner, owner, mint: USDC_MINT, shuttleId: 9 }),
        ...queueOf(USDC_MINT, validator),
      },
      {
        shuttleId: 9,
        amount: 1_000_000n,
        exactOut,
        sealed: sealTransfer(
          transfer,
          recipientOf(validator),
          scriptedRandom([hexOf(digest(example.draw)), hexOf(digest('terms'))]),
        ),
      },
    ).data;

  it('looks like one of layout A', () => {
    const data = dataOf(true);
    expect(addressBytes(validator)[31]).toBe(example.lastByte);
    expect([data[93], data[126]]).toEqual([1, data.length - 127]);
  });

  it.each([true, false])('keeps its one layout, exactOut %s', (exactOut) => {
    const data = dataOf(exactOut);
    expect(data).toHaveLength(example.bytes);
    expect([data[0], data[13], data[94], data[127]]).toEqual([25, exactOut ? 1 : 0, 1, example.bytes - 128]);
    expect(addressOf(data.subarray(95, 127))).toBe(validator);
    const sealed = { destination: data.subarray(14, 94), terms: data.subarray(128) };
    expect(openTransfer(sealed, seed)).toEqual(transfer);
  });
});
