import { describe, expect, it } from 'vitest';
import { emptyGenesis, openTestLedger } from '../../ledger/testing/test-ledger.ts';
import { version1Of } from '../../ledger/testing/version-1.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import { decodeTransaction, messageOf as signedPartOf } from '../../solana/transaction.ts';
import { callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FIXED_HEAD, FixedLedger } from '../testing/fixed-ledger.ts';
import { blockOf } from '../testing/records.ts';
import { accountWith } from '../testing/token-accounts.ts';
import { addressFilledWith, v0Wire } from '../testing/transactions.ts';

const ONE = addressFilledWith(1);
const TABLE = addressFilledWith(6);
const NONCE = addressFilledWith(8);
const RECENT = decodeBase58(FIXED_HEAD.blockhash);
const TYPE = 'solana_message::versions::VersionedMessage';

const transfer = transferLamports(ONE, addressFilledWith(2), 1n);

const budget = (tag: number, value: number): Instruction => ({
  programId: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: Uint8Array.from([tag, value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, 0, 0, 0, 0, 0]),
});

function messageOf(instructions: readonly Instruction[], blockhash: Uint8Array = RECENT): Uint8Array {
  return compileLegacyMessage({ feePayer: ONE, blockhash, instructions }).bytes;
}

/** A message of version 0 that reads from a lookup table. */
function messageWithTable(): Uint8Array {
  const wire = v0Wire({
    keys: [ONE, SYSTEM_PROGRAM],
    header: [1, 0, 1],
    instructions: [{ programIdIndex: 1, accounts: [0, 2], data: transfer.data }],
    lookups: [{ table: TABLE, writable: [0], readonly: [] }],
  });
  return wire.subarray(65);
}

function ask(message: Uint8Array, ledger = new FixedLedger()): ReturnType<typeof callMethod> {
  return callMethod(ledger, 'getFeeForMessage', Buffer.from(message).toString('base64'));
}

const inContext = (value: unknown): object => ({
  result: { context: { apiVersion: '4.2.1', slot: FIXED_HEAD.slot }, value },
});

describe('getFeeForMessage', () => {
  it('returns the cost of signatures plus the priority fee', async () => {
    expect(await ask(messageOf([transfer]))).toEqual(inContext(5000));
    expect(await ask(messageOf([budget(2, 700), budget(3, 333_333), transfer]))).toEqual(inContext(5234));
  });

  describe('of a message of version 1 (bug: it was rejected)', () => {
    const kitMessage = (blockhash: string, priorityFee: bigint | undefined): Uint8Array => {
      const source = { feePayer: ONE, blockhash, instructions: [transfer], computeUnits: 6_000 };
      const priority = priorityFee === undefined ? {} : { priorityFee };
      const wire = version1Of({ ...source, ...priority, loadedBytes: null });
      return Uint8Array.from(signedPartOf(decodeTransaction(wire)));
    };

    it.each([
      [42n, 5042],
      [undefined, 5000],
    ])('made by kit, with a priority fee of %s, it answers %d', async (priorityFee, fee) => {
      expect(await ask(kitMessage(FIXED_HEAD.blockhash, priorityFee))).toEqual(inContext(fee));
    });

    it('returns null for an unknown blockhash', async () => {
      expect(await ask(kitMessage(addressFilledWith(9), 42n))).toEqual(inContext(null));
    });

    it.each([
      [
        'that is truncated',
        (bytes: Uint8Array) => bytes.subarray(0, -1),
        `failed to deserialize ${TYPE}: unexpected`,
      ],
      ['with half a priority fee', (bytes: Uint8Array) => bytes.fill(1, 4, 5), 'invalid transaction config'],
      ['with unknown bits', (bytes: Uint8Array) => bytes.fill(0x80, 7, 8), 'invalid transaction config'],
      ['without a fee payer', (bytes: Uint8Array) => bytes.fill(0, 1, 2), 'index out of bounds'],
      ['with a duplicate address', (bytes: Uint8Array) => bytes.fill(1, 74, 106), 'index out of bounds'],
    ])('rejects one %s', async (_, spoil, message) => {
      const spoiled = spoil(kitMessage(FIXED_HEAD.blockhash, 42n));
      expect(await ask(spoiled)).toEqual(
        invalidParamsError(expect.stringContaining(message) as unknown as string),
      );
    });
  });

  it.each([
    [5_000, 5_010],
    [0, 0],
  ] as const)('returns what a ledger that costs %d per signature really charges', async (price, fee) => {
    const { ledger } = await openTestLedger({ lamportsPerSignature: price, genesis: emptyGenesis });
    const message = messageOf([budget(2, 1_000), budget(3, 10_000)], decodeBase58(ledger.head().blockhash));
    const text = Buffer.from(message).toString('base64');
    expect(await callMethod(ledger, 'getFeeForMessage', text)).toMatchObject({ result: { value: fee } });
    await ledger.close();
  });

  it('returns null for an unknown blockhash', async () => {
    expect(await ask(messageOf([transfer], new Uint8Array(32).fill(9)))).toEqual(inContext(null));
  });

  it('accepts the nonce of an account as a blockhash', async () => {
    const nonce = new Uint8Array(32).fill(9);
    const data = Buffer.alloc(80);
    data.set([1, 0, 0, 0, 1], 0);
    data.fill(1, 8, 40).set(nonce, 40);
    const advance: Instruction = {
      programId: SYSTEM_PROGRAM,
      accounts: [
        { address: NONCE, signer: false, writable: true },
        { address: ONE, signer: true, writable: false },
      ],
      data: Uint8Array.of(4, 0, 0, 0),
    };
    const ledger = new FixedLedger();
    ledger.setAccount(NONCE, accountWith(data, SYSTEM_PROGRAM));
    expect(await ask(messageOf([advance, transfer], nonce), ledger)).toEqual(inContext(5000));
  });

  it('reads the lookup tables of a message', async () => {
    const ledger = new FixedLedger();
    const blockhash = addressFilledWith(5);
    ledger.validBlockhashes.add(blockhash);
    const fault = async (): Promise<unknown> => ask(messageWithTable(), ledger);
    expect(await fault()).toEqual(
      invalidParamsError(
        'invalid transaction message: Attempted to lookup addresses from a table that does not exist',
      ),
    );
    ledger.setAccount(TABLE, accountWith(new Uint8Array(56), ONE));
    expect(await fault()).toEqual(
      invalidParamsError(
        'invalid transaction message: Attempted to lookup addresses from an account owned by the wrong program',
      ),
    );
    const table = Buffer.alloc(88);
    table.writeUInt32LE(1, 0);
    table.writeBigUInt64LE(0xffff_ffff_ffff_ffffn, 4);
    ledger.setAccount(TABLE, accountWith(table, ADDRESS_LOOKUP_TABLE_PROGRAM));
    expect(await fault()).toEqual(inContext(5000));
  });

  it('resolves a closed lookup table for as long as the ledger serves it', async () => {
    const ledger = new FixedLedger();
    ledger.validBlockhashes.add(addressFilledWith(5));
    const closeAt = async (slot: number): Promise<unknown> => {
      const table = Buffer.alloc(88);
      table.writeUInt32LE(1, 0);
      table.writeBigUInt64LE(BigInt(slot), 4);
      ledger.setAccount(TABLE, accountWith(table, ADDRESS_LOOKUP_TABLE_PROGRAM));
      return ask(messageWithTable(), ledger);
    };
    const gone = invalidParamsError(
      'invalid transaction message: Attempted to lookup addresses from a table that does not exist',
    );
    for (let slot = 4_000; slot <= FIXED_HEAD.slot; slot++) ledger.blocks.set(slot, blockOf(slot));
    expect(await closeAt(FIXED_HEAD.slot - 512)).toEqual(inContext(5000));
    expect(await closeAt(FIXED_HEAD.slot - 513)).toEqual(gone);
    ledger.blocks.delete(4_500);
    expect(await closeAt(4_500)).toEqual(gone);
  });

  it.each<[string, string, string]>([
    ['text that is not base64', 'A', 'invalid base64 encoding: InvalidLength(1)'],
    ['nothing', '', `failed to deserialize ${TYPE}: `],
    ['a future version', Buffer.of(0x82, 1, 0, 0).toString('base64'), `failed to deserialize ${TYPE}: `],
    [
      'too many bytes',
      Buffer.alloc(1236).toString('base64'),
      `base64 encoded ${TYPE} too large: 1648 bytes (max: encoded/raw 1644/1232)`,
    ],
    [
      'an inconsistent message',
      Buffer.from(messageOf([transfer]))
        .fill(9, 1, 2)
        .toString('base64'),
      'invalid transaction message: index out of bounds',
    ],
  ])('rejects %s', async (_, text, message) => {
    expect(await callMethod(new FixedLedger(), 'getFeeForMessage', text)).toEqual(
      invalidParamsError(expect.stringContaining(message) as unknown as string),
    );
  });

  it('rejects a future minContextSlot, after reading the message', async () => {
    const text = Buffer.from(messageOf([transfer])).toString('base64');
    expect(
      await callMethod(new FixedLedger(), 'getFeeForMessage', text, { minContextSlot: 9999 }),
    ).toMatchObject({ error: { code: -32016, data: { contextSlot: FIXED_HEAD.slot } } });
  });
});
