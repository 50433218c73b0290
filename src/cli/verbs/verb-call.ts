import { printable, printableLines } from './printable.ts';
import type { Terminal } from './terminal.ts';
import type { VerbExit } from './exit-codes.ts';
import type { VerbFlagName } from './verb-flags.ts';

/** How long something takes before it is told of, ms. */
const PROGRESS_AFTER_MS = 1_000;

/** The flags of a verb as they were typed. */
type VerbFlagValues = ReadonlyMap<VerbFlagName, readonly (readonly string[])[]>;

/** Runs a verb, and says how it ended. */
export type RunVerb = (call: VerbCall) => Promise<VerbExit>;

/** A verb that was typed, with what it may say. */
export class VerbCall {
  /** What stands behind the verb, without flags. */
  readonly words: readonly string[];
  readonly terminal: Terminal;
  readonly #flags: VerbFlagValues;

  constructor(words: readonly string[], flags: VerbFlagValues, terminal: Terminal) {
    this.words = words;
    this.terminal = terminal;
    this.#flags = flags;
  }

  has(name: VerbFlagName): boolean {
    return this.#flags.has(name);
  }

  /** The value of a flag; undefined where it was not given. */
  valueOf(name: VerbFlagName): string | undefined {
    return this.#flags.get(name)?.[0]?.[0];
  }

  /** Every value of a flag that may be repeated. */
  valuesOf(name: VerbFlagName): readonly string[] {
    return this.#flags.get(name)?.flat() ?? [];
  }

  /** Prints the result: with `--json` the data in one line, else the lines for people. */
  report(data: object, lines: readonly string[]): void {
    const text = this.has('json') ? writeJson(data) : printableLines(lines);
    this.terminal.print(`${text}\n`);
  }

  /** Says what takes so long, to whoever watches. */
  async during<T>(what: string, work: Promise<T>): Promise<T> {
    const { terminal } = this;
    if (!terminal.isWatched) return await work;
    const timer = setTimeout(() => terminal.tell(`${what} ...\n`), PROGRESS_AFTER_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** JSON with bigints as decimal texts, as over REST, in one line that may be printed. */
export const writeJson = (data: object): string =>
  printable(
    JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  );
