import { deserialize, serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { addressBytes, addressOf, type Address } from '../../../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../../../solana/base58.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../../solana/message.ts';
import { signer, writable } from '../../../solana/instruction.ts';
import type { TokenBalance, TransactionRecord } from '../../execution.ts';
import { makeRecord } from '../../testing/make-record.ts';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { decodeCompact, encodeCompact, readNames } from './compact-record.ts';

const random = new SeededRandom('compact records');
const drawAddress = (): Address => addressOf(random.bytes(32));
const addresses = Array.from({ length: 6 }, drawAddress);
const [a, b] = addresses as [Address, Address];

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
  const [mint, owner, programId] = [pick(addresses), drawAddress(), TOKEN_PROGRAM];
  return {
    accountIndex: random.integer(256),
    mint,
    owner,
    programId,
    amount: drawU64(),
    decimals: random.integer(256),
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
    fee: drawU64(),
    preBalances: drawList(5, drawU64),
    postBalances: drawList(5, drawU64),
    preTokenBalances: before,
    postTokenBalances: drawList(3, () =>
      before.length > 0 && random.integer(2) === 0 ? { ...pick(before), amount: drawU64() } : drawBalance(),
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
    loadedAddresses: { writable: drawList(2, drawAddress), readonly: drawList(2, drawAddress) },
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
    const record = { ...makeRecord('keys', { slot: 1, index: 0 }), wire: transferWire() };
    const { writable: loaded } = record.loadedAddresses;
    const keys = [a, b, TOKEN_PROGRAM, ...loaded];
    expect(readNames(encode(record, keys)).names.map(addressOf)).toEqual(keys);
    expect(encode(record, keys).length).toBeLessThan(encode(record, keys.toReversed()).length);
  });

  it('says a token transfer in at most 170 bytes besides its wire bytes, of which 64 are mint and owner', () => {
    const wire = transferWire();
    const balance = { mint: drawAddress(), programId: TOKEN_PROGRAM, decimals: 6 };
    const from = { ...balance, accountIndex: 1, owner: a };
    const to = { ...balance, accountIndex: 2, owner: drawAddress() };
    const lamports = [9_999_995_000n, 2_039_280n, 2_039_280n, 4_513_200n];
    const record: TransactionRecord = {
      ...makeRecord('transfer', { slot: 400_000_000, index: 40 }),
      err: null,
      preBalances: lamports,
      postBalances: lamports.map((each, at) => each - (at === 0 ? 5_000n : 0n)),
      preTokenBalances: [from, to].map((each) => ({ ...each, amount: 1_000_000_000_000n })),
      postTokenBalances: [from, to].map((each, at) => ({
        ...each,
        amount: 1_000_002_000_000n - BigInt(at) * 4_000_000n,
      })),
      innerInstructions: [],
      logs: [
        `Program ${TOKEN_PROGRAM} invoke [1]`,
        'Program log: Instruction: Transfer',
        `Program ${TOKEN_PROGRAM} consumed 4645 of 200000 compute units`,
        `Program ${TOKEN_PROGRAM} success`,
      ],
      loadedAddresses: { writable: [], readonly: [] },
      returnData: null,
      signature: encodeBase58(wire.slice(1, 65)),
      wire,
    };
    expect(encode(record, [a, b, TOKEN_PROGRAM]).length - wire.length).toBeLessThanOrEqual(170);
  });
});

/** A transaction with the keys a, b and the token program. */
function transferWire(): Uint8Array {
  const instructions = [{ programId: TOKEN_PROGRAM, accounts: [writable(b)], data: new Uint8Array(9) }];
  const wire = encodeUnsignedTransaction(
    compileLegacyMessage({ feePayer: a, blockhash: random.bytes(32), instructions }),
  );
  wire.set(addressBytes(drawAddress()), 1);
  return wire;
}
