import { isUtf8 } from 'node:buffer';

/** Returns the length of the valid prefix (Rust `Utf8Error::valid_up_to`); undefined if all is valid. */
export function findUtf8Fault(bytes: Uint8Array): number | undefined {
  if (isUtf8(bytes)) return undefined;
  let at = 0;
  while (at < bytes.length) {
    const length = characterLength(bytes[at] as number);
    if (length > 1 && (at + length > bytes.length || !isUtf8(bytes.subarray(at, at + length)))) break;
    at += length;
  }
  return at;
}

/** Returns the length of a character by its first byte. The caller detects an invalid first byte. */
function characterLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}
