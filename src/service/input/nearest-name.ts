/** Longest name compared; a longer one is not a misspelling. */
const NAME_LENGTH_MAX = 64;

/**
 * The known name that `name` most likely misspells: the one with the fewest single-character edits, at most a
 * third of its length. Case is ignored.
 */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > NAME_LENGTH_MAX) return undefined;
  let nearest: string | undefined;
  let fewest = Math.floor(name.length / 3) + 1;
  for (const candidate of known) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest) [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

/**
 * Insertions, deletions and substitutions of single characters, and swaps of two neighbours (optimal string
 * alignment). Keeps two rows of the matrix.
 */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const substitution = at(row, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swap = isSwap ? at(before, j - 2) + 1 : Infinity;
      next.push(Math.min(substitution, swap, at(row, j) + 1, at(next, j - 1) + 1));
    }
    [before, row] = [row, next];
  }
  return at(row, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
