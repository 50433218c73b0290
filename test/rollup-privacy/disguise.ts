import { decodeBase58, encodeBase58 } from '../../src/solana/base58.ts';

/**
 * Bytes that base must show of a private payment and that say nothing of it: a sealed box, or the signature
 * of the transaction it came with. Two worlds with different payments differ in them.
 */
export interface Opaque {
  readonly bytes: Uint8Array;
  /** What stands for them, the same in every world. */
  readonly name: string;
}

/** Bytes in an answer, as the methods write them. */
const ENCODED = /\["([A-Za-z0-9+/=]*)","(base64|base58)"\]/g;

/** A text of answers with names in place of bytes, wherever those stand; everything else is as it was. */
export type Disguise = (text: string) => string;

/** How texts are disguised that may hold some of these bytes, encoded in any way. */
export function createDisguise(opaque: readonly Opaque[]): Disguise {
  if (opaque.length === 0) return (text) => text;
  const hex = opaque.map(({ bytes, name }) => [Buffer.from(bytes).toString('hex'), name] as const);
  const names = new Map([...hex, ...opaque.map(({ bytes, name }) => [encodeBase58(bytes), name] as const)]);
  // All at once: an answer may be a megabyte, and there are thousands of them.
  const written = new RegExp([...names.keys()].join('|'), 'g');
  const sought = opaque.map(({ bytes }) => Buffer.from(bytes));

  /** Encoded bytes as hex if there are such in their midst, which another encoding would hide. */
  const shown = (pair: string, text: string, encoding: string): string => {
    const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(decodeBase58(text));
    return sought.some((each) => bytes.includes(each)) ? `["${bytes.toString('hex')}","${encoding}"]` : pair;
  };
  return (text) => text.replace(ENCODED, shown).replace(written, (each) => names.get(each) as string);
}
