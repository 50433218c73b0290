import type { RandomSource } from './random-source.ts';

/** Values that are known to break parsers. */
const AWKWARD: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e300,
  2 ** 53,
  '',
  '\u0000',
  '\ud800',
  'é'.repeat(50),
  '1'.repeat(100),
  '11111111111111111111111111111111',
  '18446744073709551616',
  [],
  {},
  [[[[[[]]]]]],
  { __proto__: { polluted: 1 } },
  { constructor: { prototype: { polluted: 1 } } },
];

/** Copies a JSON value with one part replaced, removed or added. */
export function mutateJson(value: unknown, random: RandomSource): unknown {
  if (Array.isArray(value)) {
    const copy: unknown[] = [...(value as unknown[])];
    const at = random.below(copy.length + 1);
    const choice = copy.length === 0 ? 0 : random.below(4);
    if (choice === 0) copy.splice(at, 0, random.pick(AWKWARD));
    else if (choice === 1) copy.splice(at, 1);
    else copy[at % copy.length] = mutateJson(copy[at % copy.length], random);
    return copy;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    const at = random.below(entries.length + 1);
    const entry = entries[at];
    if (entry === undefined)
      return { ...value, [random.pick(['x', '__proto__', 'jsonrpc', 'id'])]: random.pick(AWKWARD) };
    if (random.below(5) === 0) entries.splice(at, 1);
    else entries[at] = [entry[0], mutateJson(entry[1], random)];
    return Object.fromEntries(entries);
  }
  return random.pick(AWKWARD);
}

/** Copies bytes with some of them changed, removed or added. */
export function mutateBytes(bytes: Uint8Array, random: RandomSource): Uint8Array {
  const kind = random.below(6);
  if (kind === 0) return bytes.subarray(0, random.below(bytes.length + 1));
  if (kind === 1) return Uint8Array.of(...bytes, ...random.bytes(random.below(64)));
  const copy = Uint8Array.from(bytes);
  for (let n = random.below(4); n >= 0; n--) copy[random.below(copy.length)] = random.below(256);
  return copy;
}
