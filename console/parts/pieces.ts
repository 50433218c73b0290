/** A part of an untrusted text: plain text, or the name of a hidden character. */
interface Piece {
  readonly kind: 'text' | 'control';
  readonly text: string;
}

/**
 * Characters that are invisible or change the text next to them: controls, soft hyphen, joiners, fillers,
 * bidirectional formats, line separators, lone surrogates, interlinear marks, tags.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- each character alone, including controls
  /([\0-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}])/u;

/** The name of a hidden character: a Unicode control picture for C0, else its code point. */
function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Splits a text into plain parts and names of hidden characters, in order. */
export function splitHostile(text: string): Piece[] {
  return text
    .split(HIDDEN)
    .map((part, at): Piece =>
      at % 2 === 0 ? { kind: 'text', text: part } : { kind: 'control', text: nameOf(part) },
    )
    .filter((piece) => piece.text !== '');
}

/** The first `count` characters. Does not cut surrogate pairs. */
export function firstCharacters(text: string, count: number): string {
  return Array.from(text.slice(0, count * 2))
    .slice(0, count)
    .join('');
}

/** Maximum length of a symbol. */
const SYMBOL_MAX = 16;

/**
 * Returns a token's symbol if it is safe to show next to an amount. Returns null for a blank or long symbol,
 * or one with hidden characters, which could change how the amount reads.
 */
export function plainSymbol(symbol: string | null): string | null {
  if (symbol === null || symbol.length > SYMBOL_MAX) return null;
  return splitHostile(symbol).every(({ kind }) => kind === 'text') && symbol.trim() !== '' ? symbol : null;
}

/** Replaces an unsafe symbol with null ({@link plainSymbol}). */
export const withPlainSymbol = <T extends { readonly symbol: string | null }>(named: T): T => ({
  ...named,
  symbol: plainSymbol(named.symbol),
});
