import { ADDRESS_BYTES, addressBytes, addressOf, type Address } from '../../../solana/address.ts';
import { encodeBase58 } from '../../../solana/base58.ts';
import { SIGNATURE_BYTES } from '../../../solana/signature.ts';
import type { InnerInstructions, LoadedAddresses, TransactionRecord } from '../../execution.ts';
import type { TransactionError } from '../../transaction-error.ts';
import { AddressRefs, AddressTable } from './address-refs.ts';
import {
  hasOneMint,
  paysFeeAlone,
  readLamports,
  readTokenBalances,
  writeLamports,
  writeTokenBalances,
} from './balances.ts';
import { ByteSink } from './byte-sink.ts';
import { ByteSource } from './byte-source.ts';
import { readLogs, writeLogs } from './log-lines.ts';
import { firstSignature } from './wire-parts.ts';

/** The first byte. The format before this one begins with that of a v8 serialization, 0xff. */
export const COMPACT = 1;

/** Bits of the second byte. */
const HAS_ERROR = 1;
const HAS_RETURN_DATA = 2;
/** The signature is not the first one of the wire bytes, and follows them. */
const HAS_SIGNATURE = 4;
/** It is found under other addresses than all its keys in their order, and their numbers follow. */
const HAS_NAMES = 8;
// Formats before 7 say none of the following, and write what these leave out.
/** Of lamports the fee is all that has changed, which the first account paid. */
const PAYS_FEE_ALONE = 16;
/** The token balances are of one mint, and of the same accounts before and after. */
const HAS_ONE_MINT = 32;
/** It has no inner instructions, and no addresses of lookup tables. */
const IS_PLAIN = 64;

/**
 * A record in few bytes. After the two first: wire bytes; signature if it is not in them; slot, index and
 * block time; the loaded addresses; all others that are in neither; the numbers of those it is found under,
 * if they are not all keys; then what the run left. Counts, numbers and lengths are varints, an error is its
 * JSON.
 *
 * @param signature its signature, 64 bytes.
 * @param names the addresses it is found under.
 */
export function encodeCompact(
  record: TransactionRecord,
  signature: Uint8Array,
  names: readonly Address[],
): Buffer {
  const { wire, loadedAddresses, err, returnData } = record;
  const refs = new AddressRefs(wire, loadedAddresses);
  const numbers = names.map((address) => refs.numberOf(address));
  const hasNames = numbers.length !== refs.keyCount || numbers.some((number, at) => number !== at);
  const hasSignature = Buffer.compare(firstSignature(wire), signature) !== 0;
  const parts =
    (err === null ? 0 : HAS_ERROR) |
    (returnData === null ? 0 : HAS_RETURN_DATA) |
    (hasSignature ? HAS_SIGNATURE : 0) |
    (hasNames ? HAS_NAMES : 0) |
    (paysFeeAlone(record) ? PAYS_FEE_ALONE : 0) |
    (hasOneMint(record) ? HAS_ONE_MINT : 0) |
    (isPlain(record) ? IS_PLAIN : 0);
  const run = new ByteSink();
  writeRun(run, record, parts, refs);

  const sink = new ByteSink();
  sink.u8(COMPACT);
  sink.u8(parts);
  sink.block(wire);
  if (hasSignature) sink.bytes(signature);
  sink.varint(record.slot);
  sink.varint(record.index);
  sink.bigSigned(BigInt(record.blockTime));
  if ((parts & IS_PLAIN) === 0) writeLoaded(sink, loadedAddresses);
  refs.writeOthers(sink);
  if (hasNames) {
    sink.varint(numbers.length);
    for (const number of numbers) sink.varint(number);
  }
  return Buffer.concat([sink.written, run.written]);
}

/** Reads what {@link encodeCompact} wrote. The record points into `bytes`. */
export function decodeCompact(bytes: Buffer): TransactionRecord {
  const source = new ByteSource(bytes);
  const { parts, addresses, ...head } = readHead(source);
  const { writable, readonly } = head.loaded;
  const fee = source.bigVarint();
  const computeUnits = source.varint();
  const loadedAccountsDataSize = source.varint();
  const lamports = readLamports(source, (parts & PAYS_FEE_ALONE) === 0 ? null : fee);
  const tokens = readTokenBalances(source, (parts & HAS_ONE_MINT) !== 0, addresses);
  const innerInstructions = (parts & IS_PLAIN) === 0 ? source.list(() => readInner(source)) : [];
  const logs = readLogs(source, addresses);
  const returnData =
    (parts & HAS_RETURN_DATA) === 0 ? null : { programId: addresses.read(source), data: source.block() };
  const err = (parts & HAS_ERROR) === 0 ? null : (JSON.parse(source.text()) as TransactionError);
  return {
    signature: encodeBase58(head.signature),
    slot: head.slot,
    index: head.index,
    blockTime: head.blockTime,
    wire: head.wire,
    returnData,
    err,
    fee,
    preBalances: lamports.before,
    postBalances: lamports.after,
    preTokenBalances: tokens.before,
    postTokenBalances: tokens.after,
    innerInstructions,
    logs,
    loadedAddresses: { writable: writable.map(addressOf), readonly: readonly.map(addressOf) },
    computeUnits,
    loadedAccountsDataSize,
  };
}

/** The signature of an encoded record, 64 bytes. */
export function readSignature(bytes: Buffer): Uint8Array {
  const source = new ByteSource(bytes);
  source.u8();
  const parts = source.u8();
  return signatureOf(parts, source.block(), source);
}

/** The signature of an encoded record, and the addresses it is found under, 32 bytes each. */
export function readNames(bytes: Buffer): { readonly signature: Uint8Array; readonly names: Uint8Array[] } {
  const { signature, names } = readHead(new ByteSource(bytes));
  return { signature, names: names() };
}

function readHead(source: ByteSource) {
  source.u8();
  const parts = source.u8();
  const wire = source.block();
  const signature = signatureOf(parts, wire, source);
  const slot = source.varint();
  const index = source.varint();
  const blockTime = Number(source.bigSigned());
  const readAddress = (): Uint8Array => source.bytes(ADDRESS_BYTES);
  const readLoaded = (): Uint8Array[] => ((parts & IS_PLAIN) === 0 ? source.list(readAddress) : []);
  const loaded = { writable: readLoaded(), readonly: readLoaded() };
  const addresses = new AddressTable(
    wire,
    [...loaded.writable, ...loaded.readonly],
    source.list(readAddress),
  );
  const numbers = (parts & HAS_NAMES) === 0 ? null : source.list(() => source.varint());
  const names = (): Uint8Array[] =>
    (numbers ?? Array.from({ length: addresses.keyCount }, (_, at) => at)).map((number) =>
      addresses.bytes(number),
    );
  return { parts, wire, signature, slot, index, blockTime, loaded, addresses, names };
}

/** @param source behind the wire bytes. */
function signatureOf(parts: number, wire: Uint8Array, source: ByteSource): Uint8Array {
  return (parts & HAS_SIGNATURE) === 0 ? firstSignature(wire) : source.bytes(SIGNATURE_BYTES);
}

function isPlain({ innerInstructions, loadedAddresses }: TransactionRecord): boolean {
  const { writable, readonly } = loadedAddresses;
  return innerInstructions.length === 0 && writable.length === 0 && readonly.length === 0;
}

function writeLoaded(sink: ByteSink, { writable, readonly }: LoadedAddresses): void {
  for (const loaded of [writable, readonly]) {
    sink.varint(loaded.length);
    for (const address of loaded) sink.bytes(addressBytes(address));
  }
}

function writeRun(sink: ByteSink, record: TransactionRecord, parts: number, refs: AddressRefs): void {
  const { returnData, err } = record;
  sink.bigVarint(record.fee);
  sink.varint(record.computeUnits);
  sink.varint(record.loadedAccountsDataSize);
  writeLamports(sink, record, (parts & PAYS_FEE_ALONE) !== 0);
  writeTokenBalances(sink, record, (parts & HAS_ONE_MINT) !== 0, refs);
  if ((parts & IS_PLAIN) === 0) {
    sink.varint(record.innerInstructions.length);
    for (const inner of record.innerInstructions) writeInner(sink, inner);
  }
  writeLogs(sink, record.logs, refs);
  if (returnData !== null) {
    sink.varint(refs.numberOf(returnData.programId));
    sink.block(returnData.data);
  }
  if (err !== null) sink.text(JSON.stringify(err));
}

function writeInner(sink: ByteSink, { index, instructions }: InnerInstructions): void {
  sink.varint(index);
  sink.varint(instructions.length);
  for (const { programIdIndex, accounts, data, stackHeight } of instructions) {
    sink.varint(programIdIndex);
    sink.block(accounts);
    sink.block(data);
    sink.varint(stackHeight);
  }
}

function readInner(source: ByteSource): InnerInstructions {
  return {
    index: source.varint(),
    instructions: source.list(() => ({
      programIdIndex: source.varint(),
      accounts: source.block(),
      data: source.block(),
      stackHeight: source.varint(),
    })),
  };
}
