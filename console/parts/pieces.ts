/** A text that someone else wrote, in parts: what is shown as it is, and what is shown by its name only. */
interface Piece {
  readonly kind: 'text' | 'control';
  readonly text: string;
}

/**
 * Characters that are not seen, or that change what stands beside them: controls, soft hyphen, joiners and fillers,
 * bidirectional formats, separators of lines, lone surrogates, interlinear marks, tags.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- each by itself, and controls too
  /([\0-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}])/u;

/** Control pictures of Unicode for C0; for all others their number. */
function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** @returns the parts of a text in order. Put together they are the text, with hidden characters by their names. */
export function splitHostile(text: string): Piece[] {
  return text
    .split(HIDDEN)
    .map((part, at): Piece =>
      at % 2 === 0 ? { kind: 'text', text: part } : { kind: 'control', text: nameOf(part) },
    )
    .filter((piece) => piece.text !== '');
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
 * @returns a token's symbol where it can stand beside an amount as it is: null if it has hidden characters, which
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
