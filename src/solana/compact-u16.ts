/**
 * Bytes that `value` (0 to 65,535) takes as compact-u16, Solana's `ShortU16`: 7 bits a byte, low bits first.
 */
export function compactU16Size(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : 3;
}

/** Writes `value` (0 to 65,535) at `offset`; returns the offset after it. */
export function writeCompactU16(target: Uint8Array, offset: number, value: number): number {
  let rest = value;
  let at = offset;
  while (rest >= 0x80) {
    target[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  target[at++] = rest;
  return at;
}
