/** The report of the current run. */
let lines: string[] = [];

/** Notes the title of the next step. */
export function step(title: string): void {
  lines.push(title);
}

/** Notes a fact. */
export function note(name: string, value: unknown): void {
  lines.push(`   ${name}: ${String(value)}`);
}

/** Notes a fact that must be exact. @throws {Error} if it is not. */
export function checkEqual<T>(name: string, actual: T, expected: T): void {
  if (actual !== expected) throw new Error(`${name} is ${String(actual)} and should be ${String(expected)}`);
  note(name, `${String(actual)} (exact)`);
}

/** Runs a life and resolves with its report. If it fails, the error includes the report. */
export async function reported<T>(play: () => Promise<T>): Promise<{ result: T; report: string }> {
  lines = [];
  try {
    const result = await play();
    return { result, report: lines.join('\n') };
  } catch (error) {
    throw new Error(`${lines.join('\n')}\n${(error as Error).message}`, { cause: error });
  }
}
