import { type Address, addressBytes } from '../../solana/address.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import type { Keypair } from '../keypair.ts';

/** The parts of a v0 message. The payer is the first static key and the only signer. */
export interface V0Source {
  readonly payer: Keypair;
  /** Static keys after the payer; the last `readonlyCount` are read-only. */
  readonly keys: readonly Address[];
  readonly readonlyCount: number;
  readonly blockhash: Uint8Array;
  readonly instructions: readonly {
    readonly program: number;
    readonly accounts: readonly number[];
    readonly data: Uint8Array;
  }[];
  readonly lookups: readonly {
    readonly table: Address;
    readonly writable: readonly number[];
    readonly readonly: readonly number[];
  }[];
}

/** Builds a signed v0 transaction. All counts must be below 128. */
export function buildV0(source: V0Source): Transaction {
  const { payer, keys, readonlyCount, blockhash, instructions, lookups } = source;
  const message = Buffer.concat([
    Buffer.of(0x80, 1, 0, readonlyCount, keys.length + 1),
    addressBytes(payer.address),
    ...keys.map(addressBytes),
    blockhash,
    Buffer.of(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      Buffer.of(program, accounts.length, ...accounts, data.length),
      data,
    ]),
    Buffer.of(lookups.length),
    ...lookups.flatMap(({ table, writable, readonly }) => [
      addressBytes(table),
      Buffer.of(writable.length, ...writable, readonly.length, ...readonly),
    ]),
  ]);
  return decodeTransaction(Buffer.concat([Buffer.of(1), payer.sign(message), message]));
}
