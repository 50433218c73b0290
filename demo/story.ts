let steps = 0;

/** Begins the next step of the story. */
export function step(title: string): void {
  console.log(`\n${++steps}. ${title}`);
}

/** Says one fact. */
export function note(name: string, value: unknown): void {
  console.log(`   ${name}: ${String(value)}`);
}

/** Says one fact that must be exact; the story ends here if it is not. */
export function checkEqual<T>(name: string, actual: T, expected: T): void {
  if (actual !== expected) throw new Error(`${name} is ${String(actual)} and should be ${String(expected)}`);
  note(name, `${String(actual)} (exact)`);
}
