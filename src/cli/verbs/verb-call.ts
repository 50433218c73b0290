import { printable, printableLines, type Terminal } from './terminal.ts';
import type { VerbExit } from './verb-failure.ts';
import type { VerbFlagName } from './verb-table.ts';

/** The delay before a progress message, in ms. */
const PROGRESS_AFTER_MS = 1_000;

/** The flags of a verb as they were typed. */
type VerbFlagValues = ReadonlyMap<VerbFlagName, readonly (readonly string[])[]>;

/** Runs a verb and returns its outcome. */
export type RunVerb = (call: VerbCall) => Promise<VerbExit>;

/** A verb with its arguments, flags and terminal. */
export class VerbCall {
  /** The arguments after the verb, without flags. */
  readonly words: readonly string[];
  readonly terminal: Terminal;
  readonly #flags: VerbFlagValues;
  #progress: NodeJS.Timeout | undefined;

  constructor(words: readonly string[], flags: VerbFlagValues, terminal: Terminal) {
    this.words = words;
    this.terminal = {
      ...terminal,
      ask: (question) => {
        // A progress line would appear after the question.
        clearTimeout(this.#progress);
        return terminal.ask(question);
      },
    };
    this.#flags = flags;
  }

  has(name: VerbFlagName): boolean {
    return this.#flags.has(name);
  }

  /** Returns the value of a flag; undefined if the flag is absent. */
  valueOf(name: VerbFlagName): string | undefined {
    return this.#flags.get(name)?.[0]?.[0];
  }

  valuesOf(name: VerbFlagName): readonly string[] {
    return this.#flags.get(name)?.flat() ?? [];
  }

  /** Prints the result: the data on one line with `--json`, otherwise the lines. */
  report(data: object, lines: readonly string[]): void {
    const text = this.has('json') ? writeJson(data) : printableLines(lines);
    this.terminal.print(`${text}\n`);
  }

  /** Awaits `work`. Prints a progress line on a terminal if that takes long, unless a question was asked. */
  async during<T>(what: string, work: Promise<T>): Promise<T> {
    const { terminal } = this;
    if (!terminal.isWatched) return await work;
    this.#progress = setTimeout(() => terminal.log(`${what} ...\n`), PROGRESS_AFTER_MS);
    try {
      return await work;
    } finally {
      clearTimeout(this.#progress);
    }
  }
}

/** Writes printable JSON on one line, with bigints as decimal strings, as in REST. */
export const writeJson = (data: object): string =>
  printable(
    JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  );
