import { TOKEN_ACCOUNT_BYTES } from './state.ts';
import { viewOf } from '../../solana/view-of.ts';

/** Where Token-2022's extensions begin: behind the length of a plain token account and the account-type byte. */
const EXTENSIONS_AT = TOKEN_ACCOUNT_BYTES + 1;

/** Bytes of a type, and of the length behind it. */
const HEADER_PART_BYTES = 2;

/** The type that stands for unused room. */
const UNINITIALIZED = 0;

/** One extension as it is stored. */
export interface StoredExtension {
  /** A number of `ExtensionType` in `spl-token-2022-interface`. */
  readonly type: number;
  readonly value: Uint8Array;
}

/**
 * The extensions of a Token-2022 mint or account in the order they are stored; none for an account without them, null when
 * a length does not fit. Layout: a u16 type, a u16 length in bytes, the value (SPL Token-2022 `get_tlv_data_info`).
 */
export function listExtensions(data: Uint8Array): readonly StoredExtension[] | null {
  const view = viewOf(data);
  const extensions: StoredExtension[] = [];
  let at = EXTENSIONS_AT;
  while (data.length - at >= HEADER_PART_BYTES) {
    const type = view.getUint16(at, true);
    if (type === UNINITIALIZED) break;
    const valueAt = at + 2 * HEADER_PART_BYTES;
    if (valueAt > data.length) return null;
    at = valueAt + view.getUint16(at + HEADER_PART_BYTES, true);
    if (at > data.length) return null;
    extensions.push({ type, value: data.subarray(valueAt, at) });
  }
  return extensions;
}
