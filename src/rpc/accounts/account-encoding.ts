import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { invalidRequest } from '../errors.ts';
import type { JsonOutput, JsonOutputObject } from '../json/json-value.ts';
import { usize } from '../params/primitives.ts';
import { required, struct } from '../params/struct.ts';
import { variant } from '../params/variant.ts';
import { showTokenState } from '../parsed/token-state.ts';
import { isTokenProgram } from '../../programs/token/token-program.ts';
import { zstdFrame } from './zstd-frame.ts';

/** Agave `UiAccountEncoding`. `binary` is base58 as a bare string. */
export const accountEncoding = variant(['binary', 'base58', 'base64', 'jsonParsed', 'base64+zstd']);

export type AccountEncoding = ReturnType<typeof accountEncoding>;

/** A part of an account's data (Agave `UiDataSliceConfig`), in bytes. */
export interface DataSlice {
  readonly offset: bigint;
  readonly length: bigint;
}

export const dataSliceConfig = struct<DataSlice>('UiDataSliceConfig', {
  offset: required(usize),
  length: required(usize),
});

/** Most bytes that are shown in base58 (Agave `MAX_BASE58_BYTES`). */
const BASE58_BYTES_MAX = 128;

/** How an account is to be shown. */
export interface AccountView {
  readonly encoding: AccountEncoding;
  readonly slice?: DataSlice | undefined;
  /** Where the mint of a token account is looked up. */
  readonly lookUp: (address: Address) => Account | null;
}

/**
 * An account as the methods show it (Agave `UiAccount`).
 *
 * @throws {RpcError} -32600 for more data than base58 may show.
 */
export function showAccount(account: Account, view: AccountView): JsonOutputObject {
  return {
    data: showData(account, view),
    executable: account.executable,
    lamports: account.lamports,
    owner: account.owner,
    rentEpoch: account.rentEpoch,
    space: account.data.length,
  };
}

function showData(account: Account, view: AccountView): JsonOutput {
  switch (view.encoding) {
    case 'binary':
      return shortBase58(sliceData(account.data, view.slice));
    case 'base58':
      return [shortBase58(sliceData(account.data, view.slice)), 'base58'];
    case 'base64':
      return base64Pair(sliceData(account.data, view.slice));
    case 'base64+zstd':
      return [zstdFrame(sliceData(account.data, view.slice)).toString('base64'), 'base64+zstd'];
    case 'jsonParsed':
      return showParsedData(account, view);
  }
}

function showParsedData(account: Account, view: AccountView): JsonOutput {
  if (!isTokenProgram(account.owner)) {
    return base64Pair(sliceData(account.data, view.slice));
  }
  const parsed = showTokenState(account.data, view.lookUp);
  // Agave forgets the slice for accounts of the token programs, parsed or not.
  if (parsed === undefined) return base64Pair(account.data);
  const program = account.owner === TOKEN_PROGRAM ? 'spl-token' : 'spl-token-2022';
  return { parsed, program, space: account.data.length };
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
  return [Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'), 'base64'];
}

/** The bytes of `data` a caller wants; what is beyond its end is left out. */
function sliceData(data: Uint8Array, slice: DataSlice | undefined): Uint8Array {
  if (slice === undefined) return data;
  const size = BigInt(data.length);
  if (slice.offset >= size) return data.subarray(0, 0);
  const end = slice.offset + slice.length;
  return data.subarray(Number(slice.offset), Number(end < size ? end : size));
}
