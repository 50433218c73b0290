/** A day, ms. */
const DAY_MS = 86_400_000;

/** Time of day, as 23:32:25; with thousandths where two calls may share a second. UTC. */
export function clockTime(ms: number, thousandths = false): string {
  // How such a text begins is its date.
  // oxlint-disable-next-line no-restricted-globals -- writes a time, and asks no clock
  return new Date(ms % DAY_MS).toISOString().slice(11, thousandths ? 23 : 19);
}
