import { describe, expect, it } from 'vitest';
import type { TransactionRecord } from '../../ledger/ledger.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { blockOf, recordOf } from '../testing/records.ts';
import { addressFilledWith, legacyWire } from '../testing/transactions.ts';

const A = addressFilledWith(10);
const B = addressFilledWith(11);
const C = addressFilledWith(12);

/** A transaction that pays one lamport for each micro-lamport of its price. */
const MILLION_UNITS = 1_000_000;

const setLimit = (units: number): Instruction => {
  const data = Buffer.alloc(5, 2);
  data.writeUInt32LE(units, 1);
  return { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
};

/** A transaction that offers `unitPrice` for each of a million units, and writes to `written`. */
function bid(unitPrice: number, ...written: readonly Address[]): TransactionRecord {
  return bidFor(MILLION_UNITS, unitPrice, ...written);
}

function bidFor(units: number, unitPrice: number, ...written: readonly Address[]): TransactionRecord {
  const setPrice: Instruction = {
    programId: COMPUTE_BUDGET_PROGRAM,
    accounts: [],
    data: Uint8Array.of(3, unitPrice, 0, 0, 0, 0, 0, 0, 0),
  };
  const write: Instruction = {
    programId: addressFilledWith(20),
    accounts: written.map((address) => ({ address, signer: false, writable: true })),
    data: new Uint8Array(0),
  };
  return recordOf(legacyWire(addressFilledWith(1), [setLimit(units), setPrice, write]));
}

/** A transaction with a price and no compute units. */
const forNothing = bidFor(0, 42);

function ledgerWith(blocks: Readonly<Record<number, readonly TransactionRecord[]>>): FixedLedger {
  const ledger = new FixedLedger();
  for (const [slot, records] of Object.entries(blocks)) {
    ledger.blocks.set(Number(slot), blockOf(Number(slot), records));
  }
  return ledger;
}

describe('getRecentPrioritizationFees', () => {
  const ledger = ledgerWith({
    4560: [bid(99)],
    4561: [bid(2, A, B), bid(1)],
    4709: [bid(4, B, C), bid(3), forNothing],
    4710: [],
    4711: [bid(7)],
  });

  // Cases of Agave's own test of its cache.
  it.each<[readonly Address[], number[]]>([
    [[], [1, 3, 0]],
    [[A], [2, 3, 0]],
    [[B], [2, 4, 0]],
    [[C], [1, 4, 0]],
    [
      [A, B, C],
      [2, 4, 0],
    ],
  ])('returns the lowest price of each finished slot, for writers of %j', async (keys, fees) => {
    expect(await callMethod(ledger, 'getRecentPrioritizationFees', keys)).toEqual({
      result: [4561, 4709, 4710].map((slot, index) => ({ prioritizationFee: fees[index], slot })),
    });
  });

  it.each([
    [42, 6_000, 166],
    [1, 200_000, 5],
    [1, 1_400_000, 1],
    [0, 6_000, 0],
    [255, 1_000_000, 255],
  ])(
    'returns the price that the charged lamports amount to (bug: it was the requested price): %d at %d units is %d',
    async (unitPrice, units, fee) => {
      const charged = ledgerWith({ 4710: [bidFor(units, unitPrice)] });
      expect(await callMethod(charged, 'getRecentPrioritizationFees')).toEqual({
        result: [{ prioritizationFee: fee, slot: 4710 }],
      });
    },
  );

  it('treats an empty list as no accounts', async () => {
    const { result } = await callMethod(ledger, 'getRecentPrioritizationFees');
    expect(result).toHaveLength(3);
    expect(await callMethod(ledger, 'getRecentPrioritizationFees', null)).toEqual({ result });
  });

  it('limits how much of a busy minute it reads', async () => {
    const many = Array.from({ length: 600 }, () => bid(5));
    const busy = ledgerWith({ 4707: many, 4708: many, 4709: many, 4710: [] });
    expect(await callMethod(busy, 'getRecentPrioritizationFees')).toEqual({
      result: [
        { prioritizationFee: 5, slot: 4708 },
        { prioritizationFee: 5, slot: 4709 },
        { prioritizationFee: 0, slot: 4710 },
      ],
    });
  });

  it('accepts up to 128 valid accounts', async () => {
    const accounts = (count: number): readonly Address[] => Array.from({ length: count }, () => A);
    expect(await callMethod(ledger, 'getRecentPrioritizationFees', accounts(128))).toHaveProperty('result');
    expect(await callMethod(ledger, 'getRecentPrioritizationFees', accounts(129))).toEqual(
      invalidParamsError('Too many inputs provided; max 128'),
    );
    expect(await callMethod(ledger, 'getRecentPrioritizationFees', ['x'])).toEqual(
      invalidParamsError('Invalid param: WrongSize'),
    );
  });
});
