/** The middle of some values; not a number for none. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value below which a share of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? sorted.at(-1) ?? Number.NaN;
}
