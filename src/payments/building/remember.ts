/**
 * Caches the last `countMax` results of `derive` by key, dropping the oldest. Results must depend on the key
 * alone; the `context` passed along must not affect them.
 */
export function remember<Value, Context extends readonly unknown[] = []>(
  countMax: number,
  derive: (key: string, ...context: Context) => Value,
): (key: string, ...context: Context) => Value {
  const known = new Map<string, Value>();
  return (key, ...context) => {
    let value = known.get(key);
    if (value === undefined) {
      value = derive(key, ...context);
      if (known.size >= countMax) known.delete(known.keys().next().value as string);
      known.set(key, value);
    }
    return value;
  };
}
