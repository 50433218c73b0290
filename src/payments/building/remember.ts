/**
 * `derive` with a memory of its last `countMax` results by key; the oldest goes first. For values that depend on the
 * key alone and are asked for again and again; the `context` a key is derived with must not matter to the result.
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
