/** Returns a function that calls `make` once, on its first call, and always returns that result. */
export function lazily<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
