/** Share of the longer name that has to agree for one to be taken for a slip of the other. */
const AGREEMENT_MIN = 0.5;

/**
 * The name that `name` is most likely a slip of: the one with most of the same beginning and end. Undefined
 * where none is near.
 *
 * @param names in lower case; `name` may have either.
 */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let most = AGREEMENT_MIN;
  for (const candidate of names) {
    const agreement = measureAgreement(name.toLowerCase(), candidate);
    if (agreement >= most) [nearest, most] = [candidate, agreement];
  }
  return nearest;
}

/**
 * Characters that two names share at their beginnings and ends, as a share of the longer one; all of them
 * where they are the same in another order.
 */
function measureAgreement(a: string, b: string): number {
  if (sorted(a) === sorted(b)) return 1;
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return (start + end) / Math.max(a.length, b.length);
}

const sorted = (name: string): string => [...name].toSorted().join('');
