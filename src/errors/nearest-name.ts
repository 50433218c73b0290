/** Maximum length of a compared name. A longer name is not treated as a misspelling. */
const NAME_LENGTH_MAX = 64;

/**
 * Finds the known name that `name` most likely misspells: the name with the fewest edits. Case is ignored.
 *
 * @param editsMax maximum number of edits; default a third of the length of `name`.
 */
export function findNearestName(
  name: string,
  known: readonly string[],
  editsMax = Math.floor(name.length / 3),
): string | undefined {
  if (name.length > NAME_LENGTH_MAX) return undefined;
  let nearest: string | undefined;
  let fewest = editsMax + 1;
  for (const candidate of known) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest) [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

/** Counts edits of single characters and swaps of adjacent ones (optimal string alignment distance). */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j += 1) {
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const substitution = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swap = isSwap ? at(i - 2, j - 2) + 1 : Infinity;
      row.push(Math.min(substitution, swap, at(i - 1, j) + 1, at(i, j - 1) + 1));
    }
  }
  return at(from.length, to.length);
}
