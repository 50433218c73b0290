import { TOKEN_ACCOUNT_BYTES } from '../../programs/token/state.ts';
import { ByteReader, Unparsable } from './byte-reader.ts';
import { EXTENSION_TYPE_COUNT } from './token-names.ts';

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
 * The extensions of a Token-2022 mint or account in the order they are stored; none for an account without them.
 *
 * @throws {Unparsable} for a type that stands for nothing and for lengths that do not fit.
 */
export function readExtensions(data: Uint8Array): readonly StoredExtension[] {
  if (data.length <= EXTENSIONS_AT) return [];
  const reader = new ByteReader(data.subarray(EXTENSIONS_AT));
  const extensions: StoredExtension[] = [];
  while (reader.remaining >= HEADER_PART_BYTES) {
    const type = reader.u16();
    if (type === UNINITIALIZED) break;
    if (type >= EXTENSION_TYPE_COUNT) throw new Unparsable('unknown extension');
    extensions.push({ type, value: reader.take(reader.u16()) });
  }
  return extensions;
}
