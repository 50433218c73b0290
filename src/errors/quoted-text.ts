/**
 * Characters that are not seen, or change how others are: controls, format characters such as zero-width and
 * bidirectional ones, tags, private use, unassigned, separators other than the plain space (Unicode general
 * categories C and Z, and `Default_Ignorable_Code_Point`), and the braille blank. The parts of an emoji
 * belong together, whatever joins them.
 */
const EMOJI_OR_INVISIBLE = new RegExp(
  String.raw`\p{RGI_Emoji}|(?<invisible>[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[\u0020]])`,
  'gv',
);

/** Whether a text has characters that nobody who reads it sees as they are. */
export const hasInvisible = (text: string): boolean =>
  [...text.matchAll(EMOJI_OR_INVISIBLE)].some(({ groups }) => groups?.['invisible'] !== undefined);

/**
 * A text of a stranger's as it stands in a sentence: in quotation marks, with such characters as escapes, in
 * one line. Of more than `unitsMax` UTF-16 units the rest is left out.
 */
export function quoted(text: string, unitsMax = Number.POSITIVE_INFINITY): string {
  const shown = text.length > unitsMax ? `${text.slice(0, unitsMax)}...` : text;
  return JSON.stringify(shown).replaceAll(EMOJI_OR_INVISIBLE, (found, invisible?: string) =>
    invisible === undefined ? found : `\\u{${(invisible.codePointAt(0) as number).toString(16)}}`,
  );
}
