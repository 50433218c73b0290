/**
 * `derive` with a memory of its last `countMax` results by key; the oldest goes first. For values that depend on the
 * key alone and are asked for again and again.
 */
export function remember<Value>(countMax: number, derive: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = derive(key);
      if (known.size >= countMax) known.delete(known.keys().next().value as string);
      known.set(key, value);
    }
    return value;
  };
}
