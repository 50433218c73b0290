/**
 * Compares two samples with the Mann-Whitney U test. Returns z, which follows the standard normal
 * distribution if both samples have the same distribution: |z| > 3.29 has p < 0.001. It is positive if the
 * values of `one` tend to be larger. The result depends only on the order of the values, not on the speed of
 * the machine.
 */
export function mannWhitney(one: readonly number[], other: readonly number[]): number {
  const sorted = [...one, ...other].sort((left, right) => left - right);
  const ranks = new Map<number, number>();
  for (let first = 0; first < sorted.length;) {
    const value = sorted[first] as number;
    let next = first + 1;
    while (sorted[next] === value) next++;
    // Equal values share the mean of their ranks.
    ranks.set(value, (first + 1 + next) / 2);
    first = next;
  }
  const rankSum = one.reduce((sum, value) => sum + (ranks.get(value) as number), 0);
  const [n, m] = [one.length, other.length];
  const u = rankSum - (n * (n + 1)) / 2;
  return (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}
