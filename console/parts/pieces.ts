/** A text that somebody else wrote, in parts: what is shown as it is, and what is shown by its name only. */
export interface Piece {
  readonly kind: 'text' | 'control';
  readonly text: string;
}

/**
 * Characters that are not seen, or that change what stands beside them: first and last code point. Controls, soft
 * hyphen, joiners and fillers, bidirectional formats, separators of lines, lone surrogates, interlinear marks, tags.
 */
const HIDDEN: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202f],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
];

const isHidden = (code: number): boolean => HIDDEN.some(([first, last]) => code >= first && code <= last);

/** Control pictures of Unicode for C0; for all others their number. */
function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** @returns the parts of a text in order. Put together they are the text, with hidden characters by their names. */
export function splitHostile(text: string): Piece[] {
  const pieces: Piece[] = [];
  let run = '';
  for (const character of text) {
    if (!isHidden(character.codePointAt(0) ?? 0)) {
      run += character;
      continue;
    }
    if (run !== '') pieces.push({ kind: 'text', text: run });
    run = '';
    pieces.push({ kind: 'control', text: nameOf(character) });
  }
  if (run !== '') pieces.push({ kind: 'text', text: run });
  return pieces;
}

/** The first `count` characters, none of them cut in two. */
export function firstCharacters(text: string, count: number): string {
  return Array.from(text.slice(0, count * 2))
    .slice(0, count)
    .join('');
}

/** Characters of a symbol at most. */
const SYMBOL_MAX = 16;

/**
 * @returns a token's symbol where it can stand beside an amount as it is: null where it has hidden characters, which
 *   could turn the amount round, or would push it away. The mint's address then takes its place.
 */
export function plainSymbol(symbol: string | null): string | null {
  if (symbol === null || symbol.length > SYMBOL_MAX) return null;
  return splitHostile(symbol).every(({ kind }) => kind === 'text') && symbol.trim() !== '' ? symbol : null;
}

/** The same with {@link plainSymbol} for its symbol. */
export const withPlainSymbol = <T extends { readonly symbol: string | null }>(named: T): T => ({
  ...named,
  symbol: plainSymbol(named.symbol),
});
