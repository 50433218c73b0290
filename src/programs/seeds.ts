/** A constant text as a seed. */
export const textSeed = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf8'));

/** A u32 as a seed, little-endian. */
export function u32Seed(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
