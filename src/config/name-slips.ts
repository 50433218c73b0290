/** A shorter name is like too many that are none of ours (`HOSTS`, `POST`). */
const CHARACTERS_MIN = 7;

/** Names of so many characters may have two slips, shorter ones one. */
const LONG_NAME = 10;

/**
 * What is wrong with the names in an environment: each that is set and is most likely a slip of one of ours,
 * with that. Whatever else it has is other programs'.
 */
export function slippedNames(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): string[] {
  const ours = new Set(names);
  const given = Object.entries(env).filter(([name, text]) => !ours.has(name) && (text ?? '').trim() !== '');
  return given.flatMap(([name]) => {
    const meant = nearestName(name, names);
    return meant === undefined ? [] : [`${name} is no setting: did you mean ${meant}? Rename or unset it`];
  });
}

function nearestName(name: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of names) {
    if (candidate.length < CHARACTERS_MIN) continue;
    const slipsMax = candidate.length < LONG_NAME ? 1 : 2;
    if (Math.abs(candidate.length - name.length) > slipsMax) continue;
    const slips = countSlips(name.toUpperCase(), candidate, slipsMax);
    if (slips <= slipsMax && slips < fewest) [nearest, fewest] = [candidate, slips];
  }
  return nearest;
}

/**
 * How many slips make `b` of `a`: a character too many, missing, another, or two neighbours swapped (the
 * optimal string alignment distance). Infinity as soon as they are more than `max`.
 */
function countSlips(a: string, b: string, max: number): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const slips = [at(row, j - 1) + 1, at(last, j) + 1, at(last, j - 1) + (isSame ? 0 : 1)];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(...slips, isSwapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY));
    }
    // A row is made of the two before it: where both have more, all that follow do.
    if (Math.min(...row, ...last) > max) return Number.POSITIVE_INFINITY;
    [before, last] = [last, row];
  }
  return at(last, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] as number;
