import { type Address, addressBytes } from './address.ts';
import { compactU16Size, type CompiledMessage, type MessageSource, writeCompactU16 } from './message.ts';
import { VERSION_FLAG } from './transaction-size.ts';

/** A lookup table and its current addresses. */
export interface LookupTable {
  readonly address: Address;
  readonly addresses: readonly Address[];
}

/** A v0 message ready to be signed. */
interface CompiledV0Message extends CompiledMessage {
  /** Number of accounts loaded from the table; with 0 the message does not contain the table. */
  readonly tableAccounts: number;
}

/** The first byte of a message of version 0. */
const V0_PREFIX = VERSION_FLAG | 0;

/** Maximum number of accounts: an index is one byte. */
const ACCOUNTS_MAX = 256;

/** An account of a message and the rights that its instructions need. */
interface MessageKey {
  readonly address: Address;
  signer: boolean;
  writable: boolean;
  invoked: boolean;
}

/**
 * Compiles a v0 message that loads every possible account from `table`: all that neither sign nor are called
 * as a program. The account order is the one `@solana/web3.js` 1.98 produces, so that both build the same
 * bytes: writable signers, read-only signers, writable, read-only, and within each in order of first
 * appearance, the fee payer before everything and an instruction's program before its accounts.
 *
 * @throws {RangeError} for more than 256 accounts.
 */
export function compileV0Message(source: MessageSource, table: LookupTable): CompiledV0Message {
  const keys = collectKeys(source);
  const tableIndexOf = indexByFirst(table.addresses);
  const inTable = (key: MessageKey): boolean => !key.signer && !key.invoked && tableIndexOf.has(key.address);
  const listed = orderByRights(keys.filter((key) => !inTable(key)));
  const looked = orderByRights(keys.filter(inTable));
  if (keys.length > ACCOUNTS_MAX) throw new RangeError(`${keys.length} accounts do not fit into a message`);

  const signers = listed.filter((key) => key.signer);
  const fields = [
    Uint8Array.of(
      V0_PREFIX,
      signers.length,
      signers.filter((key) => !key.writable).length,
      listed.filter((key) => !key.signer && !key.writable).length,
    ),
    compactU16(listed.length),
    ...listed.map((key) => addressBytes(key.address)),
    source.blockhash,
    ...instructionFields(source, indexByFirst([...listed, ...looked].map((key) => key.address))),
    ...lookupFields(table.address, looked, tableIndexOf),
  ];
  return {
    bytes: new Uint8Array(Buffer.concat(fields)),
    signers: signers.map((key) => key.address),
    tableAccounts: looked.length,
  };
}

/** Every account once, in order of first appearance, with all the rights that any instruction needs on it. */
export function collectKeys({ feePayer, instructions }: MessageSource): MessageKey[] {
  const keys = new Map<Address, MessageKey>();
  const keyOf = (address: Address): MessageKey => {
    let key = keys.get(address);
    if (key === undefined) {
      keys.set(address, (key = { address, signer: false, writable: false, invoked: false }));
    }
    return key;
  };
  Object.assign(keyOf(feePayer), { signer: true, writable: true });
  for (const { programId, accounts } of instructions) {
    keyOf(programId).invoked = true;
    for (const { address, signer, writable } of accounts) {
      const key = keyOf(address);
      key.signer ||= signer;
      key.writable ||= writable;
    }
  }
  return [...keys.values()];
}

/** The sort is stable, so that keys with equal rights stay in order of appearance. */
export function orderByRights(keys: readonly MessageKey[]): MessageKey[] {
  return [...keys].sort(
    (a, b) => Number(b.signer) - Number(a.signer) || Number(b.writable) - Number(a.writable),
  );
}

function instructionFields({ instructions }: MessageSource, indexOf: ReadonlyMap<Address, number>) {
  const index = (address: Address): number => indexOf.get(address) as number;
  const fields = [compactU16(instructions.length)];
  for (const { programId, accounts, data } of instructions) {
    fields.push(
      Uint8Array.of(index(programId)),
      compactU16(accounts.length),
      Uint8Array.from(accounts, ({ address }) => index(address)),
      compactU16(data.length),
      data,
    );
  }
  return fields;
}

function lookupFields(
  table: Address,
  looked: readonly MessageKey[],
  tableIndexOf: ReadonlyMap<Address, number>,
) {
  if (looked.length === 0) return [compactU16(0)];
  const indices = (keys: readonly MessageKey[]) =>
    Uint8Array.from(keys, (key) => tableIndexOf.get(key.address) as number);
  const writable = indices(looked.filter((key) => key.writable));
  const readonly = indices(looked.filter((key) => !key.writable));
  return [
    compactU16(1),
    addressBytes(table),
    compactU16(writable.length),
    writable,
    compactU16(readonly.length),
    readonly,
  ];
}

/** The index of the first occurrence of each address. */
export function indexByFirst(addresses: readonly Address[]): Map<Address, number> {
  const indexOf = new Map<Address, number>();
  for (const [index, address] of addresses.entries()) {
    if (!indexOf.has(address)) indexOf.set(address, index);
  }
  return indexOf;
}

function compactU16(value: number): Uint8Array {
  const bytes = new Uint8Array(compactU16Size(value));
  writeCompactU16(bytes, 0, value);
  return bytes;
}
