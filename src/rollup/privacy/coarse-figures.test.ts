import { expect, it } from 'vitest';
import { coarseFigures } from './private-views.ts';

const MIB = 1024 * 1024;

const figuresOf = (accounts: number, bytes: number) =>
  coarseFigures({
    head: () => ({ slot: 7, blockHeight: 7, blockhash: '', lastValidBlockHeight: 8 }),
    accountCount: () => accounts,
    accountsBytes: () => bytes,
    accountsBytesMax: 1_073_741_824,
    transactionCount: () => 9,
    storeBytes: () => bytes,
  });

const told = (figures: ReturnType<typeof figuresOf>) => [
  figures.accountCount(),
  figures.accountsBytes(),
  figures.storeBytes(),
];

it('a private payment and the number of its parts do not show within a step of accounts and bytes', () => {
  const before = [1_000, MIB, MIB];
  expect([figuresOf(333, 225_133), figuresOf(335, 225_397), figuresOf(335, 225_557)].map(told)).toEqual([
    before,
    before,
    before,
  ]);
});

it('a ledger that fills up shows, and an empty one is reported as empty', () => {
  expect(told(figuresOf(1_001, MIB + 1))).toEqual([2_000, 2 * MIB, 2 * MIB]);
  expect(told(figuresOf(0, 0))).toEqual([0, 0, 0]);
});

it('slots, transactions and the limit are exact', () => {
  const figures = figuresOf(1, 1);
  expect([figures.head().slot, figures.transactionCount(), figures.accountsBytesMax]).toEqual([
    7, 9, 1_073_741_824,
  ]);
});
