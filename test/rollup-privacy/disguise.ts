import { decodeBase58, encodeBase58 } from '../../src/solana/base58.ts';

/**
 * Bytes of a private payment that base must show and that reveal nothing about it: a sealed box, or the
 * signature of its transaction. They differ between worlds with different payments.
 */
export interface Opaque {
  readonly bytes: Uint8Array;
  /** The text that replaces them, the same in every world. */
  readonly name: string;
}

/** Bytes in an answer, as the methods write them. */
const ENCODED = /\["([A-Za-z0-9+/=]*)","(base64|base58)"\]/g;

/** Replaces all such bytes in a text of answers with their names. */
export type Disguise = (text: string) => string;

/** Creates a function that replaces these bytes in any encoding. */
export function createDisguise(opaque: readonly Opaque[]): Disguise {
  if (opaque.length === 0) return (text) => text;
  const hex = opaque.map(({ bytes, name }) => [Buffer.from(bytes).toString('hex'), name] as const);
  const names = new Map([...hex, ...opaque.map(({ bytes, name }) => [encodeBase58(bytes), name] as const)]);
  // Replaces all in one pass, because there are thousands of answers of up to a megabyte.
  const written = new RegExp([...names.keys()].join('|'), 'g');
  const sought = opaque.map(({ bytes }) => Buffer.from(bytes));

  /** Shows encoded bytes as hex if they contain such bytes, which other encodings would hide. */
  const shown = (pair: string, text: string, encoding: string): string => {
    const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(decodeBase58(text));
    return sought.some((each) => bytes.includes(each)) ? `["${bytes.toString('hex')}","${encoding}"]` : pair;
  };
  return (text) => text.replace(ENCODED, shown).replace(written, (each) => names.get(each) as string);
}
