import { addressOf, type Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { tryParse, Unparsable } from '../../solana/byte-reader.ts';
import { VERSION_FLAG } from '../../solana/message-version.ts';
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

/**
 * Cuts a legacy or v0 transaction into segments that cover every byte, in order. From the first byte on that
 * has not the form, the rest is one segment that is not decoded; so is all that follows a transaction.
 */
export function cutTransaction(bytes: Uint8Array): readonly Segment[] {
  const reader = new SegmentReader(bytes);
  tryParse(() => cut(reader));
  return reader.finish();
}

function cut(reader: SegmentReader): void {
  // A message of version 1 comes before its signatures.
  if ((reader.peek() ?? 0) >= VERSION_FLAG) return;
  const signatureCount = markCount(reader, 'signatureCount', 'How many signatures follow', 0);
  for (let index = 0; index < signatureCount; index += 1) {
    const whose = index === 0 ? 'of the fee payer' : `of account ${index}`;
    reader.mark('signature', `Signature ${whose}`, 1, () => signatureText(reader.take(SIGNATURE_BYTES)));
  }
  const version = markVersion(reader);
  const header = markHeader(reader);
  const keys = markKeys(reader, header);
  reader.mark('blockhash', 'The blockhash: the transaction expires with it', 0, () =>
    encodeBase58(reader.take(32)),
  );
  const instructionCount = markCount(reader, 'instructionCount', 'How many instructions follow', 0);
  for (let index = 0; index < instructionCount; index += 1) markInstruction(reader, index, keys);
  if (version === 0) markLookups(reader);
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

function markKeys(reader: SegmentReader, header: Header): Address[] {
  const count = markCount(reader, 'accountCount', 'How many accounts follow', 0);
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
  const program = keys[reader.peek() ?? -1];
  const name = program === undefined ? null : programName(program);
  reader.mark('program', `${place}: its program${name === null ? '' : `, ${name}`}`, 1, () =>
    keyText(keys, reader.u8()),
  );
  const accountCount = markCount(reader, 'accountCount', `${place}: how many accounts it gets`, 1);
  const call = reader.ahead((rest) => {
    const accounts = rest.take(accountCount);
    return { accounts, data: rest.take(rest.compactU16()) };
  });
  const spec = program === undefined ? null : findInstruction(program, call);
  for (const position of call.accounts.keys()) {
    const role = spec?.accounts[position]?.role ?? spec?.more;
    const meaning = `Its account ${position + 1}${role === undefined ? '' : `: ${role}`}`;
    reader.mark('accountIndex', meaning, 2, () => keyText(keys, reader.u8()));
  }
  markCount(reader, 'dataLength', `${place}: how long its data are, bytes`, 1);
  markData(reader, call.data, spec);
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
