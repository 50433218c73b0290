import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { invalidRequest } from '../errors.ts';
import { Base64Text } from '../../json/base64-text.ts';
import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import type { ParamReader } from '../params/param-reader.ts';
import { usize } from '../params/primitives.ts';
import { required, struct } from '../params/struct.ts';
import { variant } from '../params/variant.ts';
import { showParsedAccount } from '../parsed/parse-account.ts';
import { isTokenProgram } from '../../programs/token/token-program.ts';
import { zstdFrame } from './zstd-frame.ts';

/** Agave `UiAccountEncoding`. `binary` is base58 as a bare string. */
export const accountEncoding = variant(['binary', 'base58', 'base64', 'jsonParsed', 'base64+zstd']);

export type AccountEncoding = ReturnType<typeof accountEncoding>;

/** A part of an account's data (Agave `UiDataSliceConfig`), in bytes. */
export interface DataSlice {
  readonly offset: number;
  readonly length: number;
}

/** A size that only has to be compared with sizes of data, where a double is exact. */
const byteCount: ParamReader<number> = (value) => Number(usize(value));

export const dataSliceConfig = struct<DataSlice>('UiDataSliceConfig', {
  offset: required(byteCount),
  length: required(byteCount),
});

/** Most bytes that are shown in base58 (Agave `MAX_BASE58_BYTES`). */
const BASE58_BYTES_MAX = 128;

/** How an account is to be shown. */
export interface AccountView {
  readonly encoding: AccountEncoding;
  readonly slice?: DataSlice | undefined;
  /** Where parsers find what they need besides: the mint of a token account, the clock. */
  readonly lookUp: (address: Address) => Account | null;
}

/**
 * An account as the methods show it (Agave `UiAccount`).
 *
 * @param address where it is; sysvars are told apart by nothing else.
 * @throws {RpcError} -32600 for more data than base58 may show.
 */
export function showAccount(address: Address, account: Account, view: AccountView): JsonOutputObject {
  return {
    data: showData(address, account, view),
    executable: account.executable,
    lamports: account.lamports,
    owner: account.owner,
    rentEpoch: account.rentEpoch,
    space: account.data.length,
  };
}

function showData(address: Address, account: Account, view: AccountView): JsonOutput {
  switch (view.encoding) {
    case 'binary':
      return shortBase58(sliceData(account.data, view.slice));
    case 'base58':
      return [shortBase58(sliceData(account.data, view.slice)), 'base58'];
    case 'base64':
      return base64Pair(sliceData(account.data, view.slice));
    case 'base64+zstd':
      return [new Base64Text(zstdFrame(sliceData(account.data, view.slice))), 'base64+zstd'];
    case 'jsonParsed':
      return showParsedData(address, account, view);
  }
}

function showParsedData(address: Address, account: Account, view: AccountView): JsonOutput {
  const parsed = showParsedAccount(address, account, view.lookUp);
  if (parsed !== undefined) return parsed;
  // Agave forgets the slice for accounts of the token programs.
  return base64Pair(isTokenProgram(account.owner) ? account.data : sliceData(account.data, view.slice));
}

function shortBase58(data: Uint8Array): string {
  if (data.length > BASE58_BYTES_MAX) {
    throw invalidRequest(
      `Encoded binary (base 58) data should be less than ${BASE58_BYTES_MAX} bytes, please use Base64 encoding.`,
    );
  }
  return encodeBase58(data);
}

function base64Pair(data: Uint8Array): JsonOutput {
  return [new Base64Text(data), 'base64'];
}

/** The bytes of `data` a caller wants; what is beyond its end is left out. */
function sliceData(data: Uint8Array, slice: DataSlice | undefined): Uint8Array {
  return slice === undefined ? data : data.subarray(slice.offset, slice.offset + slice.length);
}
