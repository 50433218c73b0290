import { TOKEN_ACCOUNT_BYTES } from './state.ts';
import { viewOf } from '../../solana/view-of.ts';

/** Offset of Token-2022's extensions: after the length of a plain token account and the account-type byte. */
const EXTENSIONS_AT = TOKEN_ACCOUNT_BYTES + 1;

/** Size of the type and of the length after it, bytes each. */
const HEADER_PART_BYTES = 2;

/** The type of unused space. */
const UNINITIALIZED = 0;

/** An extension as stored. */
export interface StoredExtension {
  /** Its number in `ExtensionType` of `spl-token-2022-interface`. */
  readonly type: number;
  readonly value: Uint8Array;
}

/**
 * The extensions of a Token-2022 mint or account in storage order. Empty if there are none, null if a length
 * does not fit. Layout: type u16, length in bytes u16, value (SPL Token-2022 `get_tlv_data_info`).
 */
export function listExtensions(data: Uint8Array): readonly StoredExtension[] | null {
  const view = viewOf(data);
  const extensions: StoredExtension[] = [];
  let at = EXTENSIONS_AT;
  // A single byte may be left at the end (SPL Token-2022 `get_tlv_data_info`).
  while (data.length - at >= HEADER_PART_BYTES) {
    const type = view.getUint16(at, true);
    // The rest of the account is unused room.
    if (type === UNINITIALIZED) break;
    const valueAt = at + 2 * HEADER_PART_BYTES;
    if (valueAt > data.length) return null;
    at = valueAt + view.getUint16(at + HEADER_PART_BYTES, true);
    if (at > data.length) return null;
    extensions.push({ type, value: data.subarray(valueAt, at) });
  }
  return extensions;
}
