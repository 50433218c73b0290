import { deserialize, serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { addressOf, type Address } from '../../../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../../../solana/base58.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../../solana/message.ts';
import { signer, writable } from '../../../solana/instruction.ts';
import type { TokenBalance, TransactionRecord } from '../../execution.ts';
import { makeRecord } from '../../testing/make-record.ts';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { decodeRecord, isPresentRecord } from '../record-codec.ts';
import { decodeCompact, encodeCompact, readNames, readSignature } from './compact-record.ts';
import { FORMAT_6_RECORDS } from './testing/format-6-records.ts';
import { PAYER, SOURCE, transferRecord } from './testing/transfer-record.ts';

const random = new SeededRandom('compact records');
const drawAddress = (): Address => addressOf(random.bytes(32));
const addresses = Array.from({ length: 6 }, drawAddress);
const [a] = addresses as [Address];

function pick<T>(items: readonly T[]): T {
  return items[random.integer(items.length)] as T;
}

const drawList = <T>(max: number, draw: () => T): T[] =>
  Array.from({ length: random.integer(max + 1) }, draw);

/** A u64 of any length in bits. */
function drawU64(): bigint {
  return Buffer.from(random.bytes(8)).readBigUInt64LE(0) >> BigInt(random.integer(65));
}

/** Lines of all forms, and such as are nearly of one. */
const LINES: readonly (() => string)[] = [
  () => `Program ${pick(addresses)} invoke [${random.integer(7)}]`,
  () => `Program ${pick(addresses)} invoke [0${random.integer(7)}]`,
  () => `Program ${pick(addresses)} success`,
  () => `Program ${pick(addresses)} success `,
  () => `Program ${pick(addresses)} consumed ${random.integer(2e6)} of ${random.integer(2e6)} compute units`,
  () => `Program ${pick(addresses)} consumed 5 of 99999999999999999999 compute units`,
  () => `Program ${pick(addresses)} failed: custom program error: 0x1`,
  () => `Program ${pick(addresses)} failed: of two\nlines`,
  () => `Program ${'z'.repeat(44)} success`,
  () => `Program ${'1'.repeat(33)} success`,
  () => `Program return: ${pick(addresses)} AQ==`,
  () => `Program log: Instruction: ${'Transfer'.slice(random.integer(9))}`,
  () => `Program log: ∆ ${encodeBase58(random.bytes(random.integer(200)))}`,
  () => 'Program log: ',
  () => 'Program log:',
  () => `Program data: ${Buffer.from(random.bytes(40)).toString('base64')}`,
  () => 'Log truncated',
  () => '',
];

function drawBalance(): TokenBalance {
  const [mint, owner, programId] = [pick(addresses.slice(0, 2)), drawAddress(), TOKEN_PROGRAM];
  return {
    accountIndex: random.integer(256),
    mint,
    owner,
    programId,
    amount: drawU64(),
    decimals: pick([6, 6, 6, 255]),
  };
}

/** A wire that has keys, or bytes that are no transaction. */
function drawWire(): Uint8Array {
  if (random.integer(4) === 0) return random.bytes(random.integer(300));
  const accounts = drawList(4, () => (random.integer(2) === 0 ? writable : signer)(pick(addresses)));
  const instructions = [{ programId: pick(addresses), accounts, data: random.bytes(random.integer(20)) }];
  const wire = encodeUnsignedTransaction(
    compileLegacyMessage({ feePayer: a, blockhash: random.bytes(32), instructions }),
  );
  wire.set(random.bytes(64), 1);
  return wire;
}

function drawRecord(): TransactionRecord {
  const before = drawList(3, drawBalance);
  const wire = drawWire();
  const hasOwn = wire.length > 65 && random.integer(4) > 0;
  const fee = drawU64();
  const preBalances = drawList(5, drawU64);
  const feeAlone = preBalances.map((lamports, at) => (at === 0 ? lamports - fee : lamports));
  return {
    ...makeRecord(`${random.drawn}`, {
      slot: random.integer(2 ** 31) * 2 ** 22,
      index: random.integer(2 ** 32),
    }),
    err: pick([
      null,
      'AccountInUse',
      { InstructionError: [255, { Custom: 0xffff_ffff }] },
      { InstructionError: [0, 'InvalidArgument'] },
      { InsufficientFundsForRent: { account_index: 3 } },
    ] as const),
    fee,
    preBalances,
    postBalances: random.integer(3) === 0 ? feeAlone : drawList(5, drawU64),
    preTokenBalances: before,
    postTokenBalances:
      random.integer(3) === 0
        ? before.map((balance) => ({ ...balance, amount: drawU64() }))
        : drawList(3, () =>
            before.length > 0 && random.integer(2) === 0
              ? { ...pick(before), amount: drawU64() }
              : drawBalance(),
          ),
    innerInstructions: drawList(2, () => ({
      index: random.integer(256),
      instructions: drawList(3, () => ({
        programIdIndex: random.integer(256),
        accounts: random.bytes(random.integer(5)),
        data: random.bytes(random.integer(300)),
        stackHeight: random.integer(6),
      })),
    })),
    logs: drawList(12, () => pick(LINES)()),
    loadedAddresses: {
      writable: drawList(pick([0, 2]), drawAddress),
      readonly: drawList(pick([0, 2]), drawAddress),
    },
    returnData: pick([null, { programId: pick(addresses), data: random.bytes(random.integer(40)) }]),
    computeUnits: random.integer(2 ** 32),
    loadedAccountsDataSize: random.integer(2 ** 32),
    blockTime: random.integer(2 ** 32) - 2 ** 31,
    wire,
    ...(hasOwn ? { signature: encodeBase58(wire.slice(1, 65)) } : {}),
  };
}

const encode = (record: TransactionRecord, names: readonly Address[] = []): Buffer =>
  encodeCompact(record, decodeBase58(record.signature), names);

describe('a record in few bytes', () => {
  it('is what the structured clone of it was in the format before, whatever it has', () => {
    for (let n = 0; n < 3_000; n++) {
      const record = drawRecord();
      const names = drawList(5, () => pick([...addresses, ...record.loadedAddresses.writable]));
      const bytes = encode(record, names);
      expect(decodeCompact(bytes)).toEqual(deserialize(serialize(record)));
      const { signature, names: read } = readNames(bytes);
      expect(encodeBase58(signature)).toBe(record.signature);
      expect(read.map(addressOf)).toEqual(names);
    }
  });

  it('takes no bytes for the addresses it is found under when they are its keys', () => {
    const { wire } = transferRecord(random);
    const record = { ...makeRecord('keys', { slot: 1, index: 0 }), wire };
    const { writable: loaded } = record.loadedAddresses;
    const keys = [PAYER, SOURCE, TOKEN_PROGRAM, ...loaded];
    expect(readNames(encode(record, keys)).names.map(addressOf)).toEqual(keys);
    expect(encode(record, keys).length).toBeLessThan(encode(record, keys.toReversed()).length);
  });

  it('says a token transfer in at most 145 bytes besides its wire bytes, of which 64 are mint and owner', () => {
    const record = transferRecord(random);
    const names = [PAYER, SOURCE, TOKEN_PROGRAM];
    expect(encode(record, names).length - record.wire.length).toBeLessThanOrEqual(145);
    expect(decodeCompact(encode(record, names))).toEqual(record);
  });

  it.each([
    [
      'where more than the fee was paid',
      { postBalances: [9_999_994_999n, 2_039_280n, 2_039_281n, 4_513_200n] },
    ],
    ['where another paid the fee', { postBalances: [9_999_995_000n, 2_034_280n, 2_039_280n, 4_513_200n] }],
    ['where there are fewer balances afterwards', { postBalances: [9_999_990_000n] }],
    ['where an account is new', { preTokenBalances: [] }],
    ['where an account is gone', { postTokenBalances: [] }],
    ['without token balances', { preTokenBalances: [], postTokenBalances: [] }],
    [
      'with an inner instruction',
      { innerInstructions: makeRecord('inner', { slot: 1, index: 0 }).innerInstructions },
    ],
    ['with an address of a lookup table', { loadedAddresses: { writable: [], readonly: [a] } }],
  ])('is itself %s', (_, changed) => {
    const record = { ...transferRecord(random), ...changed };
    expect(decodeCompact(encode(record))).toEqual(record);
  });
});

describe('a record that a release of format 6 wrote', () => {
  it.each(FORMAT_6_RECORDS)('is read as what it was: $what', ({ record, bytes }) => {
    const stored = Buffer.from(bytes, 'base64');
    expect(isPresentRecord(stored)).toBe(true);
    expect(decodeRecord(stored)).toEqual(record);
    expect(encodeBase58(readSignature(stored))).toBe(record.signature);
  });
});
