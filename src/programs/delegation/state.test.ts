import { describe, expect, it } from 'vitest';
import { rentExemptMinimum } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { USDC_MINT } from '../addresses.ts';
import {
  COMMIT_RECORD_BYTES,
  decodeCommitRecord,
  decodeDelegationMetadata,
  decodeUndelegationRequest,
  DELEGATION_METADATA_BYTES,
  DELEGATION_RECORD_BYTES,
  FEES_VAULT_BYTES,
} from './state.ts';

const PAYER = '4RvdEGaUyChj3AketeBZoY1EotNtPveMFUXL8DVetrAp' as Address;

/** Metadata of an account derived from seeds of these lengths. */
function metadataBytes(seedLengths: readonly number[]): Uint8Array {
  const seedBytes = seedLengths.reduce((sum, length) => sum + 4 + length, 0);
  const data = new Uint8Array(21 + seedBytes + 32);
  const view = new DataView(data.buffer);
  view.setBigUint64(0, 102n, true);
  view.setBigUint64(8, 3n, true);
  view.setUint8(16, 1);
  view.setUint32(17, seedLengths.length, true);
  let at = 21;
  for (const length of seedLengths) {
    view.setUint32(at, length, true);
    data.fill(0xaa, at + 4, at + 4 + length);
    at += 4 + length;
  }
  data.set(addressBytes(PAYER), at);
  return data;
}

describe('decodeDelegationMetadata', () => {
  it('reads the metadata of an eATA', () => {
    const data = metadataBytes([32, 32]);
    const seed = new Uint8Array(32).fill(0xaa);
    expect(data).toHaveLength(DELEGATION_METADATA_BYTES);
    expect(decodeDelegationMetadata(data)).toEqual({
      commitNonce: 3n,
      undelegationRequester: 'validator',
      seeds: [seed, seed],
      rentPayer: PAYER,
    });
  });

  it.each([[[]], [[0]], [[5, 32, 4]]])('reads seeds of the lengths %j', (lengths) => {
    const seeds = decodeDelegationMetadata(metadataBytes(lengths))?.seeds;
    expect(seeds?.map((seed) => seed.length)).toEqual(lengths);
  });

  it.each([
    [0, 'none'],
    [1, 'validator'],
    [2, 'ownerProgram'],
  ])('reads %i as requested by %s', (byte, requester) => {
    const metadata = decodeDelegationMetadata(metadataBytes([32]).fill(byte, 16, 17));
    expect(metadata?.undelegationRequester).toBe(requester);
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['a truncated header', metadataBytes([]).subarray(0, 20)],
    ['another discriminator', metadataBytes([32]).fill(101, 0, 1)],
    ['an unknown requester', metadataBytes([32]).fill(3, 16, 17)],
    ['a truncated seed length', metadataBytes([]).fill(1, 17, 18).subarray(0, 23)],
    ['a seed beyond the data', metadataBytes([32]).fill(0xff, 21, 25)],
    ['more seeds than the data contains', metadataBytes([32, 32]).fill(0xff, 17, 21)],
    ['a truncated rent payer', metadataBytes([32, 32]).subarray(0, 124)],
    ['an extra byte', new Uint8Array([...metadataBytes([32, 32]), 0])],
  ])('is null for %s', (_, data) => {
    expect(decodeDelegationMetadata(data)).toBeNull();
  });
});

describe('decodeCommitRecord', () => {
  const data = new Uint8Array(COMMIT_RECORD_BYTES);
  const view = new DataView(data.buffer);
  view.setBigUint64(0, 101n, true);
  data.set(addressBytes(PAYER), 8);
  data.set(addressBytes(USDC_MINT), 40);
  view.setBigUint64(72, 4n, true);
  view.setBigUint64(80, 1_447_680n, true);

  it('reads a commit record', () => {
    expect(decodeCommitRecord(data)).toEqual({
      validator: PAYER,
      account: USDC_MINT,
      nonce: 4n,
      lamports: 1_447_680n,
    });
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['a missing byte', data.subarray(0, 87)],
    ['an extra byte', new Uint8Array([...data, 0])],
    ['another discriminator', Uint8Array.from(data).fill(102, 0, 1)],
  ])('is null for %s', (_, bytes) => {
    expect(decodeCommitRecord(bytes)).toBeNull();
  });
});

describe('the rents of delegation', () => {
  it.each([
    ['delegation record', DELEGATION_RECORD_BYTES, 1_559_040n],
    ['delegation metadata of an eATA', DELEGATION_METADATA_BYTES, 1_760_880n],
    ['fees vault', FEES_VAULT_BYTES, 946_560n],
  ])('are those of mainnet: %s', (_, bytes, lamports) => {
    expect(rentExemptMinimum(bytes)).toBe(lamports);
  });
});

describe('decodeUndelegationRequest', () => {
  /** As the program of July 2026 wrote it (slot 440,208,000, and 9,000 for the time-out). */
  const written = Buffer.from(
    '68000000000000006b4212ada9b0bc83b0ca39b1439c1d20d42af1cc2fcc3dec5b13db81549516aca82d3d1a00000000',
    'hex',
  );

  it('reads what the program wrote', () => {
    expect(decodeUndelegationRequest(written)).toEqual({
      account: '8Dh4RDeh9xvVXSjrxD46xuzDZn73kzr7RuK9SweaQ94P',
      expiresAtSlot: 440_217_000n,
    });
  });

  it('reads nothing from other bytes', () => {
    expect(decodeUndelegationRequest(written.subarray(1))).toBeNull();
    expect(decodeUndelegationRequest(Buffer.from(written).fill(0, 0, 1))).toBeNull();
  });
});
