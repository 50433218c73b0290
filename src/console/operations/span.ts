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
