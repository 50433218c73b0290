import { listExtensions, type StoredExtension } from '../../programs/token/extension-list.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import { EXTENSION_TYPE_COUNT } from './token-names.ts';

export type { StoredExtension };

/**
 * The extensions of a Token-2022 mint or account in storage order; empty for an account without any.
 *
 * @throws {Unparsable} for an unknown type and for lengths that do not fit.
 */
export function readExtensions(data: Uint8Array): readonly StoredExtension[] {
  const extensions = listExtensions(data);
  if (extensions === null) throw new Unparsable('too few bytes');
  if (extensions.some(({ type }) => type >= EXTENSION_TYPE_COUNT)) throw new Unparsable('unknown extension');
  return extensions;
}
