/** Shortens an address or signature to its ends: 4 characters each in lists, 6 in headings. */
export function shorten(text: string, ends: 4 | 6 = 4): string {
  return text.length <= ends * 2 + 1 ? text : `${text.slice(0, ends)}…${text.slice(-ends)}`;
}

/** Capitalizes the first letter. */
export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A day, ms. */
const DAY_MS = 86_400_000;

/** Parses an ISO or HTTP time into ms since 1970; NaN if it is neither. */
// oxlint-disable-next-line no-restricted-globals -- parses a text and reads no clock
export const msOf = (text: string): number => Date.parse(text);

/** Formats date and time as `2026-08-22 23:32:25 UTC`. */
export function dateTime(ms: number): string {
  // oxlint-disable-next-line no-restricted-globals -- formats a time and reads no clock
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Formats the time of day in UTC as `23:32:25`, optionally with milliseconds. */
export function clockTime(ms: number, thousandths = false): string {
  // oxlint-disable-next-line no-restricted-globals -- formats a time and reads no clock
  return new Date(ms % DAY_MS).toISOString().slice(11, thousandths ? 23 : 19);
}
