import { z } from 'zod';
import { ALL_INSTRUCTIONS } from '../programs/all-instructions.ts';
import type { FieldValue } from '../programs/instruction-table/field-codec.ts';
import { type InstructionSpec, matchInstruction } from '../programs/instruction-table/instruction-spec.ts';
import type { Address } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import { ByteReader } from '../solana/byte-reader.ts';
import {
  type CompiledInstruction,
  decodeTransaction,
  isStaticKeyWritable,
  type Transaction,
  WireError,
} from '../solana/transaction.ts';
import type { Segment } from './answers.ts';
import { type ApiRoute, BASE64_BYTES, createPostRoute } from './api-route.ts';
import { inWords } from './decode.ts';

/** Maximum body, bytes: several times the largest transaction, 1,232 bytes. */
const BODY_BYTES_MAX = 32 * 1024;

/** `POST /console/api/segments`: explains each byte of a transaction. */
export const SEGMENTS_ROUTE: ApiRoute = createPostRoute('/console/api/segments', BODY_BYTES_MAX, {
  input: z.object({ transaction: BASE64_BYTES }),
  run: ({ transaction }) => ({ segments: cutTransaction(transaction) }),
});

/**
 * Splits a transaction (legacy, v0 or v1) into segments that cover every byte, in order. Bytes after a
 * transaction, or that are no transaction, are one segment that is not decoded.
 */
export function cutTransaction(bytes: Uint8Array): readonly Segment[] {
  const cutter = new Cutter(bytes);
  const transaction = decodeOrNull(bytes);
  if (transaction !== null) cutter.transaction(transaction);
  cutter.bytes('notDecoded', 'not decoded', 0, bytes.length);
  return cutter.segments;
}

function decodeOrNull(bytes: Uint8Array): Transaction | null {
  try {
    return decodeTransaction(bytes);
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
}

/** The instructions of each known program. */
const BY_PROGRAM = new Map<Address, InstructionSpec[]>();
for (const spec of ALL_INSTRUCTIONS) {
  const specs = BY_PROGRAM.get(spec.program.address) ?? [];
  specs.push(spec);
  BY_PROGRAM.set(spec.program.address, specs);
}

/** The spec of a call; null if it is not known. */
function findInstruction(program: Address | undefined, call: CompiledInstruction): InstructionSpec | null {
  const specs = (program && BY_PROGRAM.get(program)) ?? [];
  const [first] = specs;
  return first === undefined ? null : (matchInstruction(first.program, specs, call)?.spec ?? null);
}

/** Collects the segments of a decoded transaction, from front to back, without gaps. */
class Cutter {
  readonly segments: Segment[] = [];
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  transaction(transaction: Transaction): void {
    if (transaction.version === 1) this.#version1(transaction);
    else this.#before1(transaction);
  }

  /** Adds a segment up to an offset, as hex; none if it would be empty. */
  bytes(field: string, meaning: string, depth: number, end: number): void {
    this.#mark(field, hex(this.#bytes.subarray(this.#at, end)), meaning, depth, end - this.#at);
  }

  #before1(transaction: Transaction): void {
    const { signatures, version, staticKeys, instructions, lookups } = transaction;
    this.#count('signatureCount', signatures.length, 'How many signatures follow', 0);
    this.#signatures(signatures);
    if (version === 0) this.#mark('version', 0, 'Version of the message: 0', 0, 1);
    this.#header(transaction);
    this.#count('accountCount', staticKeys.length, 'How many accounts follow', 0);
    this.#keys(transaction);
    this.#blockhash();
    this.#count('instructionCount', instructions.length, 'How many instructions follow', 0);
    for (const [index, call] of instructions.entries()) {
      const place = `Instruction ${index + 1}`;
      const spec = this.#program(place, call, staticKeys);
      this.#count('accountCount', call.accounts.length, `${place}: how many accounts it gets`, 1);
      this.#accounts(call, spec, staticKeys);
      this.#count('dataLength', call.data.length, `${place}: how long its data are, bytes`, 1);
      this.#data(call, spec);
    }
    if (version === 0) this.#lookups(lookups);
  }

  /** All instruction headers come before the instruction data, and the signatures come last. */
  #version1(transaction: Transaction): void {
    const { signatures, staticKeys, instructions, config } = transaction;
    this.#mark('version', 1, 'Version of the transaction: 1', 0, 1);
    this.#header(transaction);
    this.bytes('configMask', 'Which values its config has', 0, this.#at + 4);
    this.#blockhash();
    this.#mark('instructionCount', instructions.length, 'How many instructions it has', 0, 1);
    this.#mark('accountCount', staticKeys.length, 'How many accounts follow', 0, 1);
    this.#keys(transaction);
    for (const [name, meaning, length] of CONFIG) {
      const value = config?.[name] ?? null;
      if (value !== null) this.#mark(name, value, meaning, 0, length);
    }
    const specs = instructions.map((call, index) => {
      const place = `Instruction ${index + 1}`;
      const spec = this.#program(place, call, staticKeys);
      this.#mark('accountCount', call.accounts.length, `${place}: how many accounts it gets`, 1, 1);
      this.#mark('dataLength', call.data.length, `${place}: how long its data are, bytes`, 1, 2);
      return spec;
    });
    for (const [index, call] of instructions.entries()) {
      this.#accounts(call, specs[index] ?? null, staticKeys);
      this.#data(call, specs[index] ?? null);
    }
    this.#signatures(signatures);
  }

  #signatures(signatures: readonly Uint8Array[]): void {
    for (const [index, signature] of signatures.entries()) {
      // A missing signature is all zeros.
      const text = signature.every((byte) => byte === 0) ? 'none yet' : encodeBase58(signature);
      const whose = index === 0 ? 'of the fee payer' : `of account ${index}`;
      this.#mark('signature', text, `Signature ${whose}`, 1, signature.length);
    }
  }

  #header({ requiredSignatures, readonlySigned, readonlyUnsigned }: Transaction): void {
    this.#mark('requiredSignatures', requiredSignatures, 'Accounts that sign', 0, 1);
    this.#mark('readonlySigned', readonlySigned, 'Of those, accounts that are only read', 0, 1);
    this.#mark('readonlyUnsigned', readonlyUnsigned, 'Accounts that do not sign and are only read', 0, 1);
  }

  #keys(transaction: Transaction): void {
    for (const [index, key] of transaction.staticKeys.entries()) {
      this.#mark('account', key, `Account ${index}: ${roleOf(index, transaction)}`, 1, 32);
    }
  }

  #blockhash(): void {
    const text = encodeBase58(this.#bytes.subarray(this.#at, this.#at + 32));
    this.#mark('blockhash', text, 'The blockhash: the transaction expires with it', 0, 32);
  }

  #program(place: string, call: CompiledInstruction, keys: readonly Address[]): InstructionSpec | null {
    const program = keys[call.programIdIndex];
    const name = program && BY_PROGRAM.get(program)?.[0]?.program.name;
    const meaning = `${place}: its program${name === undefined ? '' : `, ${name}`}`;
    this.#mark('program', keyText(keys, call.programIdIndex), meaning, 1, 1);
    return findInstruction(program, call);
  }

  #accounts(call: CompiledInstruction, spec: InstructionSpec | null, keys: readonly Address[]): void {
    for (const [position, index] of call.accounts.entries()) {
      const role = spec?.accounts[position]?.role ?? spec?.more;
      const meaning = `Its account ${position + 1}${role === undefined ? '' : `: ${role}`}`;
      this.#mark('accountIndex', keyText(keys, index), meaning, 2, 1);
    }
  }

  /** The data of an instruction: tag and fields, or one segment if it is not known. */
  #data({ data }: CompiledInstruction, spec: InstructionSpec | null): void {
    const start = this.#at;
    if (spec === null) return this.bytes('data', 'Data, not decoded', 2, start + data.length);
    const tagBytes = data.length === 0 ? 0 : spec.program.tagBytes;
    this.bytes('tag', `${spec.name}: which instruction it is`, 2, start + tagBytes);
    const fields = new ByteReader(data.subarray(tagBytes));
    for (const [name, codec] of Object.entries(spec.fields)) {
      // Optional fields are the last ones, so nothing can follow.
      if (codec.optional && fields.remaining === 0) break;
      const before = fields.offset;
      const value = codec.read(fields);
      this.#mark(name, shown(value), inWords(name), 2, fields.offset - before);
    }
  }

  #lookups(lookups: Transaction['lookups']): void {
    this.#count('lookupCount', lookups.length, 'How many lookup tables follow', 0);
    for (const [index, { table, writable, readonly }] of lookups.entries()) {
      this.#mark('lookupTable', table, `Lookup table ${index + 1}`, 1, 32);
      this.#indexes('writableIndexes', 'writable', writable);
      this.#indexes('readonlyIndexes', 'only read', readonly);
    }
  }

  #indexes(field: string, rights: string, indexes: Uint8Array): void {
    this.#count(`${field}Count`, indexes.length, `How many of its accounts are ${rights}`, 1);
    for (const index of indexes) this.#mark(field, index, `An account of the table, ${rights}`, 2, 1);
  }

  /** A count as Solana's compact-u16. */
  #count(field: string, count: number, meaning: string, depth: number): void {
    this.#mark(field, count, meaning, depth, count < 0x80 ? 1 : count < 0x4000 ? 2 : 3);
  }

  #mark(
    field: string,
    value: string | number | bigint,
    meaning: string,
    depth: number,
    length: number,
  ): void {
    if (length <= 0) return;
    this.segments.push({ offset: this.#at, length, field, value: String(value), meaning, depth });
    this.#at += length;
  }
}

/** The config values of version 1 in order, with their length in bytes (SIMD-0385). */
const CONFIG = [
  ['priorityFee', 'The whole priority fee, lamports', 8],
  ['computeUnitLimit', 'Compute units that it may use', 4],
  ['loadedAccountsDataSizeLimit', 'Bytes of accounts that it may load', 4],
  ['heapSize', 'Bytes of heap that its programs get', 4],
] as const;

function roleOf(index: number, transaction: Transaction): string {
  const rights = isStaticKeyWritable(transaction, index) ? 'writable' : 'only read';
  if (index === 0) return 'signs and pays the fee';
  return index < transaction.requiredSignatures ? `signs, ${rights}` : rights;
}

/** Only the index of an account from a lookup table is known. */
const keyText = (keys: readonly Address[], index: number): string =>
  keys[index] ?? `account ${index}, from a lookup table`;

const shown = (value: FieldValue): string => (value instanceof Uint8Array ? hex(value) : String(value));

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
