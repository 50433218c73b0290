import { TOKEN_ACCOUNT_BYTES } from '../../programs/token/state.ts';
import { Base58Error, decodeBase58 } from '../../solana/base58.ts';
import { invalidParams } from '../errors.ts';
import type { ParamReader } from '../params/param-reader.ts';
import {
  optional,
  required,
  sequence,
  string,
  struct,
  tagged,
  u64,
  u8,
  untagged,
  usize,
  variant,
} from '../params/readers.ts';
import { describeBase58Fault, tryDecodeBase64 } from '../wire/encoded-transaction.ts';

/** A condition on an account's data. */
export type AccountFilter =
  | { readonly kind: 'dataSize'; readonly byteCount: number }
  | { readonly kind: 'memcmp'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'tokenAccountState' };

/** A filter as sent by the caller. The bytes to compare may still be text. */
type AccountFilterParam =
  | Exclude<AccountFilter, { readonly kind: 'memcmp' }>
  | {
      readonly kind: 'memcmp';
      readonly offset: number;
      readonly text: string | readonly number[];
      readonly encoding: 'base58' | 'base64' | 'bytes' | undefined;
    };

/** Maximum number of filters per call (Agave `MAX_GET_PROGRAM_ACCOUNT_FILTERS`). */
const FILTERS_MAX = 4;

/** Maximum number of bytes to compare, and maximum lengths of their encodings (`MAX_DATA_SIZE`). */
const COMPARED_BYTES_MAX = 128;
const BASE58_TEXT_MAX = 175;
const BASE64_TEXT_MAX = 172;

/** Length of a multisig. Data of this length is never a token account (SPL Token `Multisig::LEN`). */
const MULTISIG_BYTES = 355;
const ACCOUNT_STATE_AT = 108;
const ACCOUNT_TYPE_ACCOUNT = 2;

const memcmpOffset = struct('Memcmp', { offset: required(usize) }, { hasFlattened: true });

const memcmpBytes = struct(
  'RpcMemcmpInner',
  {
    bytes: required(untagged<string | readonly number[]>('DataType', [string, sequence(u8)])),
    encoding: optional(variant(['base58', 'base64', 'bytes'])),
  },
  { hasFlattened: true },
);

/** Reads Agave's `RpcFilterType`. */
export const accountFilter: ParamReader<AccountFilterParam> = tagged<AccountFilterParam>({
  dataSize: { content: (value) => ({ kind: 'dataSize', byteCount: Number(u64(value)) }) },
  memcmp: {
    content: (value) => {
      const { offset } = memcmpOffset(value);
      const { bytes, encoding } = memcmpBytes(value);
      return { kind: 'memcmp', offset: Number(offset), text: bytes, encoding };
    },
  },
  tokenAccountState: { unit: { kind: 'tokenAccountState' } },
});

/**
 * Decodes and checks filters.
 *
 * @throws {RpcError} -32602 with the texts of Agave's `verify_filter`.
 */
export function verifyFilters(params: readonly AccountFilterParam[]): readonly AccountFilter[] {
  if (params.length > FILTERS_MAX) throw invalidParams(`Too many filters provided; max ${FILTERS_MAX}`);
  return params.map((param) => {
    if (param.kind !== 'memcmp') return param;
    const { text, encoding, offset } = param;
    const bytes = typeof text === 'string' ? decodeText(text, encoding) : Uint8Array.from(text);
    if (bytes.length > COMPARED_BYTES_MAX) throw badFilter('DataTooLarge');
    return { kind: 'memcmp', offset, bytes };
  });
}

const badFilter = (fault: string): Error => invalidParams(`Invalid param: ${fault}`);

/** Decodes the text of a filter. Text with the encoding `bytes` counts as base58. */
function decodeText(text: string, encoding: 'base58' | 'base64' | 'bytes' | undefined): Uint8Array {
  const isBase64 = encoding === 'base64';
  if (Buffer.byteLength(text) > (isBase64 ? BASE64_TEXT_MAX : BASE58_TEXT_MAX))
    throw badFilter('DataTooLarge');
  if (isBase64) {
    const decoded = tryDecodeBase64(text);
    if ('fault' in decoded) throw badFilter(`Base64DecodeError(${decoded.fault})`);
    return decoded.bytes;
  }
  try {
    return decodeBase58(text);
  } catch (error) {
    if (!(error instanceof Base58Error)) throw error;
    throw badFilter(`Base58DecodeError(${describeBase58Fault(error)})`);
  }
}

/** Creates a predicate that tests whether data passes all filters (Agave `filter_allows`). */
export function testOfFilters(filters: readonly AccountFilter[]): (data: Uint8Array) => boolean {
  const tests = filters.map(testOf);
  return (data) => tests.every((test) => test(data));
}

function testOf(filter: AccountFilter): (data: Uint8Array) => boolean {
  switch (filter.kind) {
    case 'dataSize':
      return ({ length }) => length === filter.byteCount;
    case 'memcmp':
      return testOfBytes(filter.offset, filter.bytes);
    case 'tokenAccountState':
      return isTokenAccount;
  }
}

/** Creates a predicate for data with `wanted` at `offset`. A range outside the data never matches. */
function testOfBytes(offset: number, wanted: Uint8Array): (data: Uint8Array) => boolean {
  return (data) => {
    if (offset + wanted.length > data.length) return false;
    // Comparing bytes is faster than comparing views for short ranges, and scans test 100,000 accounts.
    for (let i = 0; i < wanted.length; i++) if (data[offset + i] !== wanted[i]) return false;
    return true;
  };
}

/** Whether data is an initialized token account (`GenericTokenAccount::valid_account_data`). */
function isTokenAccount(data: Uint8Array): boolean {
  const { length } = data;
  if (length > ACCOUNT_STATE_AT && data[ACCOUNT_STATE_AT] === 0) return false;
  if (length === TOKEN_ACCOUNT_BYTES) return true;
  return (
    length > TOKEN_ACCOUNT_BYTES &&
    length !== MULTISIG_BYTES &&
    data[TOKEN_ACCOUNT_BYTES] === ACCOUNT_TYPE_ACCOUNT
  );
}
