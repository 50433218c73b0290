import * as zlib from 'node:zlib';
import { Base64Text } from '../../json/long-text.ts';
import type { JsonOutput, JsonOutputObject } from '../../json/write-json.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { invalidRequest } from '../errors.ts';
import type { ParamReader } from '../params/param-reader.ts';
import { required, struct, usize, variant } from '../params/readers.ts';
import { showParsedAccount } from '../parsed/parse-account.ts';

/** Minimum size to compress, in bytes. Starting a compression takes about 30 us. */
const COMPRESSED_BYTES_MIN = 1024;

/** Maximum size to compress, in bytes. Compression blocks the event loop (program code: 15 ms per MiB). */
const COMPRESSED_BYTES_MAX = 1_024 * 1_024;

/** Node's own compression at zstd's default level, like Agave's. Available since Node 22.15 and 23.8. */
const { zstdCompressSync } = zlib as { readonly zstdCompressSync?: (data: Uint8Array) => Buffer };

/** Encodes `data` as a zstd frame. Compresses it if Node supports that and the size is within the limits. */
export function compressZstd(data: Uint8Array): Buffer {
  const { length } = data;
  const isWorth = length >= COMPRESSED_BYTES_MIN && length <= COMPRESSED_BYTES_MAX;
  return zstdCompressSync !== undefined && isWorth ? zstdCompressSync(data) : zstdFrame(data);
}

/** Start of a frame (RFC 8878, 3.1.1): magic number, no optional header fields, a window of 2 MiB. */
const FRAME_HEADER = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58);

/** Maximum size of a block, in bytes (RFC 8878, 3.1.1.2.4). */
const BLOCK_BYTES_MAX = 128 * 1024;

/** Encodes `data` as a frame of uncompressed blocks. For short data the bytes equal Agave's. */
export function zstdFrame(data: Uint8Array): Buffer {
  const parts: Uint8Array[] = [FRAME_HEADER];
  let at = 0;
  do {
    const block = data.subarray(at, at + BLOCK_BYTES_MAX);
    at += block.length;
    const header = Buffer.alloc(3);
    // Bit 0: last block; bits 1-2: type 0, uncompressed; from bit 3: size.
    header.writeUIntLE((block.length << 3) | (at === data.length ? 1 : 0), 0, 3);
    parts.push(header, block);
  } while (at < data.length);
  return Buffer.concat(parts);
}

/** Reads Agave's `UiAccountEncoding`. `binary` is base58 as a bare string. */
export const accountEncoding = variant(['binary', 'base58', 'base64', 'jsonParsed', 'base64+zstd']);

export type AccountEncoding = ReturnType<typeof accountEncoding>;

/** A part of an account's data (Agave `UiDataSliceConfig`), in bytes. */
export interface DataSlice {
  readonly offset: number;
  readonly length: number;
}

/** Reads a byte count that is only compared with data sizes, which are exact in a double. */
const byteCount: ParamReader<number> = (value) => Number(usize(value));

export const dataSliceConfig = struct<DataSlice>('UiDataSliceConfig', {
  offset: required(byteCount),
  length: required(byteCount),
});

/** Maximum size of data shown in base58, in bytes (Agave `MAX_BASE58_BYTES`). */
const BASE58_BYTES_MAX = 128;

/** The format of an account in answers. */
export interface AccountView {
  readonly encoding: AccountEncoding;
  readonly slice?: DataSlice | undefined;
  /** Reads other accounts that parsers need: the mint of a token account, the Clock sysvar. */
  readonly lookUp: (address: Address) => Account | null;
}

/**
 * Shows an account (Agave `UiAccount`).
 *
 * @param address the account's address, which identifies sysvars.
 * @throws {RpcError} -32600 if the data is too long for base58.
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
      return [new Base64Text(compressZstd(sliceData(account.data, view.slice))), 'base64+zstd'];
    case 'jsonParsed':
      return showParsedData(address, account, view);
  }
}

function showParsedData(address: Address, account: Account, view: AccountView): JsonOutput {
  const parsed = showParsedAccount(address, account, view.lookUp);
  if (parsed !== undefined) return parsed;
  // Agave ignores the slice for accounts of the token programs.
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

/** Returns the requested part of `data`, clipped at its end. */
function sliceData(data: Uint8Array, slice: DataSlice | undefined): Uint8Array {
  return slice === undefined ? data : data.subarray(slice.offset, slice.offset + slice.length);
}

/** Returns the account format that a config requests. */
export function accountsView(
  config:
    | { readonly encoding: AccountEncoding | undefined; readonly dataSlice?: DataSlice | undefined }
    | undefined,
  encodingByDefault: AccountEncoding,
  lookUp: AccountView['lookUp'],
): AccountView {
  return { encoding: config?.encoding ?? encodingByDefault, slice: config?.dataSlice, lookUp };
}
