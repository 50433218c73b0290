/** An address or signature by its ends: 4 and 4 characters in lists, 6 and 6 in headings. */
export function shorten(text: string, ends: 4 | 6 = 4): string {
  return text.length <= ends * 2 + 1 ? text : `${text.slice(0, ends)}…${text.slice(-ends)}`;
}

/** A text with its first letter as a capital. */
export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
