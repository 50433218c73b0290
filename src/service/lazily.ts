/** What `make` makes, when it is first asked for, and the same from then on. */
export function lazily<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
