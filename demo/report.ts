let steps = 0;

/** Prints the title of the next step. */
export function step(title: string): void {
  console.log(`\n${++steps}. ${title}`);
}

/** Prints a fact. */
export function note(name: string, value: unknown): void {
  console.log(`   ${name}: ${String(value)}`);
}

/** Prints a fact that must be exact; the demo ends here if it is not. */
export function checkEqual<T>(name: string, actual: T, expected: T): void {
  if (actual !== expected) throw new Error(`${name} is ${String(actual)} and should be ${String(expected)}`);
  note(name, `${String(actual)} (exact)`);
}
