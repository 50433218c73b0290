/** Time of day, as 23:32:25; with thousandths where two calls may share a second. UTC. */
export function clockTime(ms: number, thousandths = false): string {
  const ofDay = Math.floor(ms) % 86_400_000;
  const parts = [ofDay / 3_600_000, (ofDay / 60_000) % 60, (ofDay / 1000) % 60];
  const text = parts.map((part) => padded(part, 2)).join(':');
  return thousandths ? `${text}.${padded(ofDay % 1000, 3)}` : text;
}

const padded = (count: number, digits: number): string => Math.floor(count).toString().padStart(digits, '0');

/** How long something has run, in its two largest units: `3 d 4 h`, `12 s`. */
export function spanOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const units = [
    ['d', Math.floor(seconds / 86_400)],
    ['h', Math.floor(seconds / 3_600) % 24],
    ['min', Math.floor(seconds / 60) % 60],
    ['s', seconds % 60],
  ] as const;
  const from = units.findIndex(([, count]) => count > 0);
  if (from < 0) return '0 s';
  return units
    .slice(from, from + 2)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => `${count} ${unit}`)
    .join(' ');
}
