/**
 * Matches whole emoji, and characters that are invisible or change how others look: controls, format
 * characters (such as zero-width and bidirectional ones), tags, private use, unassigned, separators other
 * than the plain space, and the braille blank. See Unicode's general categories C and Z, and
 * `Default_Ignorable_Code_Point`.
 */
const EMOJI_OR_INVISIBLE = new RegExp(
  String.raw`\p{RGI_Emoji}|(?<invisible>[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[\u0020]])`,
  'gv',
);

/** Whether a text contains invisible or misleading characters. */
export const hasInvisible = (text: string): boolean =>
  [...text.matchAll(EMOJI_OR_INVISIBLE)].some(({ groups }) => groups?.['invisible'] !== undefined);

/**
 * Quotes an untrusted text for use in a sentence, on one line. Escapes invisible characters and truncates the
 * text to `unitsMax` UTF-16 units.
 */
export function quoted(text: string, unitsMax = Number.POSITIVE_INFINITY): string {
  const shown = text.length > unitsMax ? `${text.slice(0, unitsMax)}...` : text;
  return JSON.stringify(shown).replaceAll(EMOJI_OR_INVISIBLE, (found, invisible?: string) =>
    invisible === undefined ? found : `\\u{${(invisible.codePointAt(0) as number).toString(16)}}`,
  );
}
