import { describe, expect, it } from 'vitest';
import { rentExemptMinimum } from '../../../solana/account.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import { TOKEN_PROGRAM, USDC_DEVNET_MINT, USDC_MINT } from '../../addresses.ts';
import { PERMISSION_BYTES } from '../../permission/state.ts';
import { EATA_BYTES_A, EATA_BYTES_B, VAULT_BYTES_A, VAULT_BYTES_B } from '../state.ts';
import { decodeShuttle, SHUTTLE_METADATA_BYTES } from './shuttle.ts';
import { decodeStealthPool, STEALTH_POOL_BYTES } from './stealth-pool.ts';
import { decodeTransferQueue, QUEUE_ITEMS_DEFAULT, transferQueueBytes } from './transfer-queue.ts';

const VALIDATOR = 'MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57' as Address;

describe('decodeShuttle', () => {
  const data = new Uint8Array(SHUTTLE_METADATA_BYTES);
  data.set(addressBytes(USDC_MINT), 0);
  data.set(addressBytes(VALIDATOR), 32);
  data.set([0xef, 0xbe, 0xad, 0xde, 253], 64);

  it('reads the owner', () => {
    expect(decodeShuttle(data)).toEqual({
      owner: USDC_MINT,
      rentRefund: VALIDATOR,
      id: 0xdead_beef,
      bump: 253,
    });
  });

  it('reads it out of a larger buffer', () => {
    const larger = new Uint8Array(100);
    larger.set(data, 9);
    expect(decodeShuttle(larger.subarray(9, 81))).toEqual(decodeShuttle(data));
  });

  it.each([0, 71, 73])('is null for %i bytes', (length) => {
    expect(decodeShuttle(new Uint8Array(length))).toBeNull();
  });
});

function poolBytes(handle: Uint8Array, destinations: readonly Address[]): Uint8Array {
  const data = new Uint8Array(STEALTH_POOL_BYTES);
  data.set(Buffer.from('stpool@1', 'latin1'));
  data.set([251, 1], 8);
  data.set(addressBytes(VALIDATOR), 10);
  data[42] = handle.length;
  data.set(handle, 43);
  data[298] = destinations.length;
  for (const [index, address] of destinations.entries()) data.set(addressBytes(address), 299 + 32 * index);
  return data;
}

describe('decodeStealthPool', () => {
  const handle = new Uint8Array(Buffer.from('josé@example', 'utf8'));
  const pool = (): Uint8Array => poolBytes(handle, [USDC_MINT, TOKEN_PROGRAM]);

  it('reads the handle and the keys', () => {
    expect(decodeStealthPool(pool())).toEqual({
      bump: 251,
      splitAcrossKeys: true,
      authority: VALIDATOR,
      handle: 'josé@example',
      destinations: [USDC_MINT, TOKEN_PROGRAM],
    });
    expect(decodeStealthPool(pool().fill(0, 9, 10))?.splitAcrossKeys).toBe(false);
  });

  it('reads the longest handle and the most keys', () => {
    const keys = Array.from({ length: 10 }, () => USDC_MINT);
    const decoded = decodeStealthPool(poolBytes(new Uint8Array(255).fill(0x68), keys));
    expect(decoded).toMatchObject({ handle: 'h'.repeat(255), destinations: keys });
  });

  it('keeps a handle unchanged, including a byte order mark', () => {
    const marked = new Uint8Array(Buffer.from('\ufeffx', 'utf8'));
    expect(decodeStealthPool(poolBytes(marked, [USDC_MINT]))?.handle).toBe('\ufeffx');
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['a missing byte', pool().subarray(1)],
    ['an extra byte', new Uint8Array([...pool(), 0])],
    ['a pool before its first update', new Uint8Array(STEALTH_POOL_BYTES)],
    ['another version', pool().fill(0x32, 7, 8)],
    ['an unknown flag', pool().fill(2, 9, 10)],
    ['an empty handle', pool().fill(0, 42, 43)],
    ['a handle that is not UTF-8', poolBytes(Uint8Array.of(0xc3), [USDC_MINT])],
    ['no key', pool().fill(0, 298, 299)],
    ['eleven keys', pool().fill(11, 298, 299)],
  ])('is null for %s', (_, data) => {
    expect(decodeStealthPool(data)).toBeNull();
  });
});

/** A queue with room for two transfers and one in it. */
function queueBytes(): Uint8Array {
  const data = new Uint8Array(transferQueueBytes(2));
  const view = new DataView(data.buffer);
  data.set([1, 252]);
  data.set(addressBytes(USDC_MINT), 8);
  view.setUint32(40, 1, true);
  view.setUint32(44, 77, true);
  view.setUint32(52, 5, true);
  view.setBigInt64(56, 987_654_321_012n, true);
  data.set(addressBytes(VALIDATOR), 64);
  data.set(addressBytes(TOKEN_PROGRAM), 96);
  data.set(addressBytes(USDC_DEVNET_MINT), 128);
  view.setBigUint64(160, 2n ** 64n - 1n, true);
  view.setBigInt64(168, 1_790_000_000_123n, true);
  view.setBigUint64(176, 42n, true);
  view.setUint32(184, 4, true);
  data.set([1, 0x03, 0x02, 0x01], 188);
  // Left over from a transfer that has been paid: not one that waits.
  data.fill(0xee, 192);
  return data;
}

describe('decodeTransferQueue', () => {
  it('reads the header and the waiting transfers', () => {
    expect(decodeTransferQueue(queueBytes())).toEqual({
      bump: 252,
      mint: USDC_MINT,
      validator: VALIDATOR,
      nextGroupId: 77,
      nextTaskId: 5,
      crankTaskId: 987_654_321_012n,
      capacity: 2,
      transfers: [
        {
          sourceOwner: TOKEN_PROGRAM,
          destinationOwner: USDC_DEVNET_MINT,
          amount: 2n ** 64n - 1n,
          readyAtMs: 1_790_000_000_123n,
          clientRefId: 42n,
          taskId: 4,
          createsDestinationAta: true,
          groupId: 0x01_02_03,
        },
      ],
    });
  });

  it('reads a queue without transfers and without a scheduled task', () => {
    const idle = queueBytes().fill(0, 40, 44).fill(0, 56, 64);
    expect(decodeTransferQueue(idle)).toMatchObject({ transfers: [], crankTaskId: null, capacity: 2 });
  });

  it('counts only whole items as room', () => {
    expect(decodeTransferQueue(queueBytes().subarray(0, 287))?.capacity).toBe(1);
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['a truncated header', queueBytes().subarray(0, 95)],
    ['a queue that was never created', queueBytes().fill(0, 0, 1)],
    ['another version', queueBytes().fill(2, 0, 1)],
    ['more transfers than fit', queueBytes().fill(3, 40, 41)],
    ['a truncated transfer', queueBytes().subarray(0, 191)],
  ])('is null for %s', (_, data) => {
    expect(decodeTransferQueue(data)).toBeNull();
  });
});

describe('the rents of the program', () => {
  it.each([
    ['eATA of layout A', EATA_BYTES_A, 1_392_000n],
    ['eATA of layout B', EATA_BYTES_B, 1_447_680n],
    ['vault of layout A', VAULT_BYTES_A, 1_113_600n],
    ['vault of layout B', VAULT_BYTES_B, 1_343_280n],
    ['shuttle metadata', SHUTTLE_METADATA_BYTES, 1_392_000n],
    ['permission', PERMISSION_BYTES, 4_837_200n],
  ])('are those of mainnet: %s', (_, bytes, lamports) => {
    expect(rentExemptMinimum(bytes)).toBe(lamports);
  });

  it('follow the size of queues', () => {
    expect(transferQueueBytes(QUEUE_ITEMS_DEFAULT)).toBe(9_696);
  });
});
