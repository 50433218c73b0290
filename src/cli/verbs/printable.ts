/**
 * What a terminal acts upon: controls (general category Cc: C0, DEL and C1), characters that turn the
 * direction of writing (Unicode property Bidi_Control), separators of lines and paragraphs.
 */
const ACTED_UPON = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * A line as it may be printed: programs and nodes write parts of it, and a terminal would obey what it is
 * asked there. What stands for a character is its escape in JSON: a line of JSON stays the same value.
 */
export const printable = (line: string): string =>
  line.replace(ACTED_UPON, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Several lines as they may be printed, in one text. */
export const printableLines = (lines: readonly string[]): string => lines.map(printable).join('\n');
