import { addressOf, type Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { tryParse, Unparsable } from '../../solana/byte-reader.ts';
import { V1_PREFIX, VERSION_FLAG } from '../../solana/message-version.ts';
import { SIGNATURE_BYTES } from '../../solana/signature.ts';
import { findInstruction, markData, programName } from './instruction-data.ts';
import type { Segment } from '../answers.ts';
import { SegmentReader } from './segment.ts';

/** What the head of a message says of its accounts. */
interface Header {
  readonly signed: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
}

/** The limits in the config of version 1, each with the bit of the mask that announces it (SIMD-0385). */
const CONFIG_LIMITS = [
  [0b100, 'computeUnitLimit', 'Compute units that it may use'],
  [0b1000, 'loadedAccountsDataSizeLimit', 'Bytes of accounts that it may load'],
  [0b10000, 'heapSize', 'Bytes of heap that its programs get'],
] as const;

/**
 * Cuts a transaction, legacy, v0 or v1, into segments that cover every byte, in order. From the first byte on
 * that has not the form, the rest is one segment that is not decoded; so is all that follows a transaction.
 */
export function cutTransaction(bytes: Uint8Array): readonly Segment[] {
  const reader = new SegmentReader(bytes);
  tryParse(() => cut(reader));
  return reader.finish();
}

function cut(reader: SegmentReader): void {
  if (reader.peek() === V1_PREFIX) {
    cutV1(reader);
    return;
  }
  if ((reader.peek() ?? 0) >= VERSION_FLAG) return;
  const signatureCount = markCount(reader, 'signatureCount', 'How many signatures follow', 0);
  markSignatures(reader, signatureCount);
  const version = markVersion(reader);
  const header = markHeader(reader);
  const accountCount = markCount(reader, 'accountCount', 'How many accounts follow', 0);
  const keys = markKeys(reader, header, accountCount);
  markBlockhash(reader);
  const instructionCount = markCount(reader, 'instructionCount', 'How many instructions follow', 0);
  for (let index = 0; index < instructionCount; index += 1) markInstruction(reader, index, keys);
  if (version === 0) markLookups(reader);
}

/** The heads of its instructions come before what they get, and its signatures end it. */
function cutV1(reader: SegmentReader): void {
  const count = (field: string, meaning: string): number => reader.mark(field, meaning, 0, () => reader.u8());
  reader.mark('version', 'Version of the transaction: 1', 0, () => reader.u8() - VERSION_FLAG);
  const header = markHeader(reader);
  const mask = reader.mark('configMask', 'Which values its config has', 0, () => reader.u32());
  markBlockhash(reader);
  const instructionCount = count('instructionCount', 'How many instructions it has');
  const keys = markKeys(reader, header, count('accountCount', 'How many accounts follow'));
  if ((mask & 0b11) !== 0) {
    reader.mark('priorityFee', 'The whole priority fee, lamports', 0, () => reader.u64().toString());
  }
  for (const [bit, field, meaning] of CONFIG_LIMITS) {
    if ((mask & bit) !== 0) reader.mark(field, meaning, 0, () => reader.u32());
  }
  const heads = Array.from({ length: instructionCount }, (_, index) => {
    const place = `Instruction ${index + 1}`;
    const program = markProgram(reader, place, keys);
    const part = (field: string, meaning: string, read: () => number): number =>
      reader.mark(field, `${place}: ${meaning}`, 1, read);
    return {
      program,
      accountCount: part('accountCount', 'how many accounts it gets', () => reader.u8()),
      dataLength: part('dataLength', 'how long its data are, bytes', () => reader.u16()),
    };
  });
  for (const { program, accountCount, dataLength } of heads) {
    const call = reader.ahead((rest) => ({ accounts: rest.take(accountCount), data: rest.take(dataLength) }));
    const spec = program === undefined ? null : findInstruction(program, call);
    markAccounts(reader, call.accounts, spec, keys);
    markData(reader, call.data, spec);
  }
  markSignatures(reader, header.signed);
}

function markSignatures(reader: SegmentReader, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const whose = index === 0 ? 'of the fee payer' : `of account ${index}`;
    reader.mark('signature', `Signature ${whose}`, 1, () => signatureText(reader.take(SIGNATURE_BYTES)));
  }
}

function markBlockhash(reader: SegmentReader): void {
  reader.mark('blockhash', 'The blockhash: the transaction expires with it', 0, () =>
    encodeBase58(reader.take(32)),
  );
}

/** A message without a version byte is a legacy one: its first byte is a small number. */
function markVersion(reader: SegmentReader): 'legacy' | 0 {
  if ((reader.peek() ?? 0) < VERSION_FLAG) return 'legacy';
  if (reader.peek() !== VERSION_FLAG) throw new Unparsable('a version that is not known');
  reader.mark('version', 'Version of the message: 0', 0, () => reader.u8() - VERSION_FLAG);
  return 0;
}

function markHeader(reader: SegmentReader): Header {
  const count = (field: string, meaning: string): number => reader.mark(field, meaning, 0, () => reader.u8());
  return {
    signed: count('requiredSignatures', 'Accounts that sign'),
    readonlySigned: count('readonlySigned', 'Of those, accounts that are only read'),
    readonlyUnsigned: count('readonlyUnsigned', 'Accounts that do not sign and are only read'),
  };
}

function markKeys(reader: SegmentReader, header: Header, count: number): Address[] {
  const keys: Address[] = [];
  for (let index = 0; index < count; index += 1) {
    const meaning = `Account ${index}: ${roleOf(index, count, header)}`;
    keys.push(reader.mark('account', meaning, 1, () => addressOf(reader.take(32))));
  }
  return keys;
}

function roleOf(index: number, count: number, { signed, readonlySigned, readonlyUnsigned }: Header): string {
  if (index === 0) return 'signs and pays the fee';
  if (index < signed) return index < signed - readonlySigned ? 'signs, writable' : 'signs, only read';
  return index < count - readonlyUnsigned ? 'writable' : 'only read';
}

function markInstruction(reader: SegmentReader, index: number, keys: readonly Address[]): void {
  const place = `Instruction ${index + 1}`;
  const program = markProgram(reader, place, keys);
  const accountCount = markCount(reader, 'accountCount', `${place}: how many accounts it gets`, 1);
  const call = reader.ahead((rest) => {
    const accounts = rest.take(accountCount);
    return { accounts, data: rest.take(rest.compactU16()) };
  });
  const spec = program === undefined ? null : findInstruction(program, call);
  markAccounts(reader, call.accounts, spec, keys);
  markCount(reader, 'dataLength', `${place}: how long its data are, bytes`, 1);
  markData(reader, call.data, spec);
}

function markProgram(reader: SegmentReader, place: string, keys: readonly Address[]): Address | undefined {
  const program = keys[reader.peek() ?? -1];
  const name = program === undefined ? null : programName(program);
  reader.mark('program', `${place}: its program${name === null ? '' : `, ${name}`}`, 1, () =>
    keyText(keys, reader.u8()),
  );
  return program;
}

function markAccounts(
  reader: SegmentReader,
  accounts: Uint8Array,
  spec: ReturnType<typeof findInstruction>,
  keys: readonly Address[],
): void {
  for (const position of accounts.keys()) {
    const role = spec?.accounts[position]?.role ?? spec?.more;
    const meaning = `Its account ${position + 1}${role === undefined ? '' : `: ${role}`}`;
    reader.mark('accountIndex', meaning, 2, () => keyText(keys, reader.u8()));
  }
}

/** An account of a lookup table is known by its place alone. */
function keyText(keys: readonly Address[], index: number): string {
  return keys[index] ?? `account ${index}, from a lookup table`;
}

function markLookups(reader: SegmentReader): void {
  const count = markCount(reader, 'lookupCount', 'How many lookup tables follow', 0);
  for (let index = 0; index < count; index += 1) {
    reader.mark('lookupTable', `Lookup table ${index + 1}`, 1, () => addressOf(reader.take(32)));
    for (const [field, rights] of [
      ['writableIndexes', 'writable'],
      ['readonlyIndexes', 'only read'],
    ] as const) {
      const entries = markCount(reader, `${field}Count`, `How many of its accounts are ${rights}`, 1);
      for (let at = 0; at < entries; at += 1) {
        reader.mark(field, `An account of the table, ${rights}`, 2, () => reader.u8());
      }
    }
  }
}

function markCount(reader: SegmentReader, field: string, meaning: string, depth: number): number {
  return reader.mark(field, meaning, depth, () => reader.compactU16());
}

/** A signature that is still to come is all zeros. */
function signatureText(bytes: Uint8Array): string {
  return bytes.every((byte) => byte === 0) ? 'none yet' : encodeBase58(bytes);
}
