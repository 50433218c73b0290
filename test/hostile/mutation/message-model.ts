import { addressBytes } from '../../../src/solana/address.ts';
import { compactU16Size, writeCompactU16 } from '../../../src/solana/message.ts';
import { decodeTransaction, type Transaction } from '../../../src/solana/transaction.ts';

/**
 * A message in parts that can be changed independently. Unlike message builders, it keeps indices unchanged.
 */
export interface MessageModel {
  /** Version of the original transaction. Version 1 is not supported. */
  readonly version: Transaction['version'];
  /** Numbers of required signatures, of read-only signers, and of read-only others. */
  readonly header: readonly [number, number, number];
  readonly keys: readonly Uint8Array[];
  readonly blockhash: Uint8Array;
  readonly instructions: readonly CallModel[];
  readonly lookups: readonly LookupModel[];
}

export interface CallModel {
  readonly program: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

export interface LookupModel {
  readonly table: Uint8Array;
  readonly writable: readonly number[];
  readonly readonly: readonly number[];
}

export function modelOf(wire: Uint8Array): MessageModel {
  const transaction = decodeTransaction(wire);
  const { version, requiredSignatures, readonlySigned, readonlyUnsigned, blockhashAt } = transaction;
  return {
    version,
    header: [requiredSignatures, readonlySigned, readonlyUnsigned],
    keys: transaction.staticKeys.map(addressBytes),
    blockhash: wire.slice(blockhashAt, blockhashAt + 32),
    instructions: transaction.instructions.map(({ programIdIndex, accounts, data }) => ({
      program: programIdIndex,
      accounts: [...accounts],
      data,
    })),
    lookups: transaction.lookups.map(({ table, writable, readonly }) => ({
      table: addressBytes(table),
      writable: [...writable],
      readonly: [...readonly],
    })),
  };
}

function counted(count: number, ...bytes: readonly Uint8Array[]): Uint8Array {
  const length = new Uint8Array(compactU16Size(count));
  writeCompactU16(length, 0, count);
  return Buffer.concat([length, ...bytes]);
}

const list = (indices: readonly number[]): Uint8Array => counted(indices.length, Uint8Array.from(indices));

/** Returns the unsigned wire bytes, with as many zero signatures as the header requires. */
export function wireOfModel({
  version,
  header,
  keys,
  blockhash,
  instructions,
  lookups,
}: MessageModel): Uint8Array {
  if (version === 1) throw new Error('the model has no form for version 1');
  return new Uint8Array(
    Buffer.concat([
      counted(header[0], new Uint8Array(64 * header[0])),
      ...(version === 0 ? [Uint8Array.of(0x80)] : []),
      Uint8Array.from(header),
      counted(keys.length, ...keys),
      blockhash,
      counted(
        instructions.length,
        ...instructions.flatMap(({ program, accounts, data }) => [
          Uint8Array.of(program),
          list(accounts),
          counted(data.length, data),
        ]),
      ),
      ...(version === 0
        ? [
            counted(
              lookups.length,
              ...lookups.flatMap(({ table, writable, readonly }) => [table, list(writable), list(readonly)]),
            ),
          ]
        : []),
    ]),
  );
}
