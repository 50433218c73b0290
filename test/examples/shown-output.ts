const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

/** Names that differ in each run. */
const ADDRESS_OR_BLOCKHASH = `${BASE58}{32,44}`;
const SIGNATURE = `${BASE58}{64,88}`;

/** Irrelevant parts that differ in each run. */
const NOISE = [
  // A transaction in base64.
  String.raw`(?<![\w+/])[\w+/]{120,}={0,2}`,
  String.raw`(?<=\b(?:slot|lastValidBlockHeight|blockHeight|blockTime|unitsConsumed|computeUnits)"?: ?)\d+`,
  String.raw`(?<=\b(?:block height|slot) )\d+`,
  String.raw`\b\d+(?= compute units)`,
  String.raw`(?<=\bconsumed )\d+ of \d+`,
  // Request ids, in members and headers.
  String.raw`(?<="requestId": ?"|"instance": ?"[^"#]*#|[Xx]-[Rr]equest-[Ii]d: )[\w-]+`,
].join('|');

const TOKEN = new RegExp(
  [
    String.raw`(?<ellipsis>\.\.\.)|(?<space>\s*\n\s*)|(?<noise>${NOISE})`,
    String.raw`\b(?:(?<address>${ADDRESS_OR_BLOCKHASH})|(?<signature>${SIGNATURE}))\b(?![+/=])`,
  ].join('|'),
  'g',
);

/** A printed output compared with the shown one. */
interface Comparison {
  /** Both outputs without irrelevant differences, for readers. Equal only if the form is the same. */
  readonly shown: string;
  readonly printed: string;
  /** Each name in the shown output with the printed one; null if the form differs. */
  readonly names: readonly (readonly [shown: string, printed: string])[] | null;
}

/**
 * Compares an output with the one in a document. Names, slots, heights, compute units, encoded transactions,
 * request ids and line breaks may differ, and `...` stands for omitted parts. Names in `fixed` must be equal.
 */
export function compareOutputs(shown: string, printed: string, fixed: string): Comparison {
  const names: string[] = [];
  const pattern = rewrite(shown.trim(), escapePattern, (kind, token) => {
    if (kind === 'ellipsis') return String.raw`[\s\S]*?`;
    if (kind === 'space') return String.raw`\s*`;
    if (kind === 'noise') return `(?:${NOISE})`;
    if (fixed.includes(token)) return token;
    names.push(token);
    return `(${kind === 'address' ? ADDRESS_OR_BLOCKHASH : SIGNATURE})`;
  });
  const found = new RegExp(`^${pattern}$`).exec(printed.trim());
  const mask = (text: string): string =>
    rewrite(text.trim(), String, (kind, token) => {
      if (kind === 'space') return '\n';
      return kind === 'ellipsis' || fixed.includes(token) ? token : `<${kind}>`;
    });
  return {
    shown: mask(shown),
    printed: found === null ? mask(printed) : mask(shown),
    names: found === null ? null : names.map((name, i) => [name, found[i + 1] ?? '']),
  };
}

/** Replaces each token and each text between tokens. */
function rewrite(
  text: string,
  replaceText: (text: string) => string,
  replaceToken: (kind: string, token: string) => string,
): string {
  let [result, end] = ['', 0];
  for (const { 0: token, index, groups = {} } of text.matchAll(TOKEN)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? '';
    result += replaceText(text.slice(end, index)) + replaceToken(kind, token);
    end = index + token.length;
  }
  return result + replaceText(text.slice(end));
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
