/**
 * Caches the last `countMax` results of `derive`, dropping the oldest. Results must depend on the key alone.
 */
export function remember<Key extends string, Value>(
  countMax: number,
  derive: (key: Key) => Value,
): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = derive(key);
      if (known.size >= countMax) known.delete(known.keys().next().value as Key);
      known.set(key, value);
    }
    return value;
  };
}
