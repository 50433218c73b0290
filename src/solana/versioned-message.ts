import { type Address, addressBytes } from './address.ts';
import {
  collectKeys,
  compactU16Size,
  type CompiledMessage,
  type MessageKey,
  type MessageSource,
  writeCompactU16,
} from './message.ts';
import { V1_PREFIX, VERSION_FLAG } from './transaction.ts';

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

/**
 * Compiles a v0 message that loads every possible account from `tables`: all that neither sign nor are called
 * as a program. An account in several tables is loaded from the first. The account order matches
 * `@solana/web3.js` 1.98, so both build the same bytes: writable signers, read-only signers, writable,
 * read-only, then the writable and the read-only accounts of each table. Each group is in order of first
 * appearance. The fee payer comes first, and an instruction's program comes before its accounts.
 *
 * @throws {RangeError} for more than 256 accounts.
 */
export function compileV0Message(
  source: MessageSource,
  ...tables: readonly LookupTable[]
): CompiledV0Message {
  const { keys } = collectKeys(source);
  if (keys.length > ACCOUNTS_MAX)
    throw new RangeError(`a message cannot name ${keys.length} accounts: the maximum is ${ACCOUNTS_MAX}`);
  let left: readonly MessageKey[] = keys;
  const lookups = tables.map(({ address, addresses }): TableKeys => {
    const indexOf = indexByFirst(addresses);
    const inTable = (key: MessageKey): boolean => !key.signer && !key.invoked && indexOf.has(key.address);
    const found = left.filter(inTable);
    left = left.filter((key) => !inTable(key));
    return {
      address,
      indexOf,
      writable: found.filter((key) => key.writable),
      readonly: found.filter((key) => !key.writable),
    };
  });
  const listed = orderByRights(left);
  const looked = [
    ...lookups.flatMap(({ writable }) => writable),
    ...lookups.flatMap(({ readonly }) => readonly),
  ];
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
    ...lookupFields(lookups),
  ];
  return {
    bytes: new Uint8Array(Buffer.concat(fields)),
    signers: signers.map((key) => key.address),
    tableAccounts: looked.length,
  };
}

/** The accounts that a message loads from a table. */
interface TableKeys {
  readonly address: Address;
  readonly indexOf: ReadonlyMap<Address, number>;
  readonly writable: readonly MessageKey[];
  readonly readonly: readonly MessageKey[];
}

/** Sorts keys by their rights. Keys with equal rights keep their order, because the sort is stable. */
function orderByRights(keys: readonly MessageKey[]): MessageKey[] {
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

function lookupFields(tables: readonly TableKeys[]) {
  const used = tables.filter(({ writable, readonly }) => writable.length + readonly.length > 0);
  const fields = used.flatMap(({ address, indexOf, writable, readonly }) => [
    addressBytes(address),
    ...[writable, readonly].flatMap((keys) => [
      compactU16(keys.length),
      Uint8Array.from(keys, (key) => indexOf.get(key.address) as number),
    ]),
  ]);
  return [compactU16(used.length), ...fields];
}

/** Returns the index of the first occurrence of each address. */
function indexByFirst(addresses: readonly Address[]): Map<Address, number> {
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

/** Bits of the config mask for the compute unit limit and the limit of loaded account data (SIMD-0385). */
const LIMITS_MASK = 0b1100;

/** Limits of a version 1 message. Each defaults to zero in a message without it. */
interface V1Limits {
  /** Maximum compute units. */
  readonly computeUnits: number;
  /** Maximum bytes of loaded account data. */
  readonly loadedBytes: number;
}

/**
 * Compiles a message of version 1 (SIMD-0385). The accounts are ordered as in a v0 message without a table.
 *
 * @throws {RangeError} if an account count or a data length does not fit into its field.
 */
export function compileV1Message(source: MessageSource, limits: V1Limits): CompiledMessage {
  const { blockhash, instructions } = source;
  const keys = orderByRights(collectKeys(source).keys);
  const indexOf = indexByFirst(keys.map(({ address }) => address));
  const signers = keys.filter(({ signer }) => signer);
  const head = Buffer.alloc(8);
  head.writeUInt8(V1_PREFIX, 0);
  head.writeUInt8(signers.length, 1);
  head.writeUInt8(signers.filter(({ writable }) => !writable).length, 2);
  head.writeUInt8(keys.filter(({ signer, writable }) => !signer && !writable).length, 3);
  head.writeUInt32LE(LIMITS_MASK, 4);
  const counts = Buffer.alloc(2);
  counts.writeUInt8(instructions.length, 0);
  counts.writeUInt8(keys.length, 1);
  const config = Buffer.alloc(8);
  config.writeUInt32LE(limits.computeUnits, 0);
  config.writeUInt32LE(limits.loadedBytes, 4);
  const bytes = Buffer.concat([
    head,
    blockhash,
    counts,
    ...keys.map(({ address }) => addressBytes(address)),
    config,
    ...instructions.map(({ programId, accounts, data }) => {
      const heading = Buffer.alloc(4);
      heading.writeUInt8(indexOf.get(programId) as number, 0);
      heading.writeUInt8(accounts.length, 1);
      heading.writeUInt16LE(data.length, 2);
      return heading;
    }),
    ...instructions.flatMap(({ accounts, data }) => [
      Uint8Array.from(accounts, ({ address }) => indexOf.get(address) as number),
      data,
    ]),
  ]);
  return { bytes: new Uint8Array(bytes), signers: signers.map(({ address }) => address) };
}
