import { describe, expect, it } from 'vitest';
import { littleEndian } from '../../rpc/testing/parse-call.ts';
import { mintData, withExtensions } from '../../rpc/testing/token-accounts.ts';
import { addressOf } from '../../solana/address.ts';
import { decodeMintExtensions, type TransferFeeConfig, transferFeeOf } from './mint-extensions.ts';

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const address = (byte: number) => addressOf(key(byte));
const NONE = {
  transferFee: null,
  permanentDelegate: null,
  transferHook: null,
  transferHookAuthority: null,
  hasTransferHook: false,
  defaultState: null,
  nonTransferable: false,
  pausable: null,
  interestBearing: null,
  scaledUiAmount: null,
  unknownTypes: [],
};

const mintWith = (...extensions: [type: number, value: Uint8Array][]): Uint8Array =>
  withExtensions(mintData({}), 1, extensions);

const u16 = (value: number): number[] => littleEndian(value, 2);
const u64 = (value: bigint): number[] => littleEndian(value, 8);

describe('decodeMintExtensions()', () => {
  it('finds nothing on a mint of SPL Token and on one of Token-2022 without extensions', () => {
    expect(decodeMintExtensions(mintData({}))).toEqual(NONE);
    expect(decodeMintExtensions(mintWith())).toEqual(NONE);
  });

  it('reads both transfer fees', () => {
    const older = [...u64(1n), ...u64(2n ** 64n - 1n), ...u16(3)];
    const newer = [...u64(4n), ...u64(5n), ...u16(10_000)];
    const value = Uint8Array.of(...key(7), ...key(0), ...u64(9n), ...older, ...newer);
    expect(decodeMintExtensions(mintWith([1, value]))).toEqual({
      ...NONE,
      transferFee: {
        older: { epoch: 1n, maximumFee: 2n ** 64n - 1n, basisPoints: 3 },
        newer: { epoch: 4n, maximumFee: 5n, basisPoints: 10_000 },
      },
    });
  });

  it.each([
    ['a permanent delegate', 12, key(4), { permanentDelegate: address(4) }],
    ['space for a permanent delegate that names none', 12, key(0), { permanentDelegate: null }],
    [
      'a transfer hook',
      14,
      Uint8Array.of(...key(1), ...key(5)),
      { transferHook: address(5), transferHookAuthority: address(1), hasTransferHook: true },
    ],
    [
      'space for a transfer hook that names none',
      14,
      Uint8Array.of(...key(1), ...key(0)),
      { transferHookAuthority: address(1), hasTransferHook: true },
    ],
    ['accounts that begin frozen', 6, Uint8Array.of(2), { defaultState: 'frozen' }],
    ['accounts that begin thawed', 6, Uint8Array.of(1), { defaultState: 'initialized' }],
    ['non-transferable tokens', 9, new Uint8Array(), { nonTransferable: true }],
    ['a pause', 26, Uint8Array.of(...key(6), 1), { pausable: { authority: address(6), paused: true } }],
    ['no pause', 26, Uint8Array.of(...key(0), 0), { pausable: { authority: null, paused: false } }],
    [
      'interest',
      10,
      Uint8Array.of(...key(6), ...u64(1n), ...u16(1), ...u64(2n), ...u16(0xffff)),
      { interestBearing: { basisPoints: -1 } },
    ],
    [
      'a scale',
      25,
      Uint8Array.of(...key(6), ...f64(1.5), ...u64(77n), ...f64(2)),
      { scaledUiAmount: { multiplier: 1.5, newMultiplier: 2, newMultiplierFrom: 77n } },
    ],
    ['an extension of newer programs', 29, key(1), { unknownTypes: [29] }],
    ['a close authority, which does not concern payers', 3, key(1), {}],
  ])('reads %s', (_, type, value, expected) => {
    expect(decodeMintExtensions(mintWith([type, value]))).toEqual({ ...NONE, ...expected });
  });

  it('reads extensions after unneeded ones, up to the unused space', () => {
    const data = mintWith([3, key(1)], [12, key(2)], [0, new Uint8Array()], [14, new Uint8Array(64).fill(3)]);
    expect(decodeMintExtensions(data)).toEqual({ ...NONE, permanentDelegate: address(2) });
  });

  it('uses the first of two extensions of a type, like the program', () => {
    const data = mintWith([12, key(2)], [12, key(3)]);
    expect(decodeMintExtensions(data)?.permanentDelegate).toBe(address(2));
  });

  it.each([
    ['a mint that is not initialized', new Uint8Array(82)],
    ['a token account', withExtensions(new Uint8Array(165), 2, [])],
    ['a value of another length', mintWith([12, new Uint8Array(31)])],
    ['a truncated value', mintWith([12, key(1)]).subarray(0, -1)],
    ['a truncated length', mintWith([12, key(1)]).subarray(0, 169)],
    ['no bytes', new Uint8Array()],
  ])('returns null for %s', (_, data) => {
    expect(decodeMintExtensions(data)).toBeNull();
  });
});

describe('transferFeeOf()', () => {
  const config = (
    older: [epoch: bigint, bps: number, max: bigint],
    newer: [epoch: bigint, bps: number, max: bigint],
  ): { transferFee: TransferFeeConfig } => {
    const fee = ([epoch, basisPoints, maximumFee]: [bigint, number, bigint]) => ({
      epoch,
      basisPoints,
      maximumFee,
    });
    return { transferFee: { older: fee(older), newer: fee(newer) } };
  };
  const onePercent = config([0n, 100, 50n], [10n, 200, 1_000n]);

  it('is zero for a mint without a fee', () => {
    expect(transferFeeOf({ transferFee: null }, null, 5n)).toEqual({ withheld: 0n, isCertain: true });
  });

  it.each([
    [0n, 0n],
    [1n, 1n],
    [100n, 1n],
    [101n, 2n],
    [4_900n, 49n],
    [4_901n, 50n],
    [2n ** 64n - 1n, 50n],
  ])('of %d base units is rounded up and capped', (amount, withheld) => {
    expect(transferFeeOf(onePercent, 9n, amount)).toEqual({ withheld, isCertain: true });
  });

  it('is the newer one from its epoch on', () => {
    expect(transferFeeOf(onePercent, 9n, 1_000n).withheld).toBe(10n);
    expect(transferFeeOf(onePercent, 10n, 1_000n).withheld).toBe(20n);
  });

  it('is the larger one if the epoch is unknown, and is marked as uncertain', () => {
    expect(transferFeeOf(onePercent, null, 1_000n)).toEqual({ withheld: 20n, isCertain: false });
    expect(transferFeeOf(config([0n, 300, 99n], [1n, 1, 99n]), null, 1_000n).withheld).toBe(30n);
  });

  it('is certain without the epoch if both fees are the same', () => {
    const same = config([0n, 100, 50n], [10n, 100, 50n]);
    expect(transferFeeOf(same, null, 1_000n)).toEqual({ withheld: 10n, isCertain: true });
  });

  it('may be the whole amount', () => {
    expect(transferFeeOf(config([0n, 10_000, 9n], [0n, 10_000, 9n]), 0n, 7n).withheld).toBe(7n);
  });
});

function f64(value: number): number[] {
  return [...new Uint8Array(Float64Array.of(value).buffer)];
}
