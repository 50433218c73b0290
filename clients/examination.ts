import type { Connection, ListedTool, ToolAnswer } from './client.ts';

/** The expected outcome of a call: a result with at least these members, or this error code. */
export type Outcome = { readonly gives: object } | { readonly refuses: string };

/** A tool call and its outcome. */
export interface CallRecord {
  readonly tool: string;
  /** Distinguishes the call from others to the same tool. */
  readonly about: string;
  readonly outcome: Outcome;
  /** The difference from the expected outcome; undefined if there is none. */
  readonly surprise: string | undefined;
}

/** Checks arguments or a result against the tool's listed schemas. Returns the error, if any. */
export type SchemaCheck = (tool: string, side: 'arguments' | 'result', value: unknown) => string | undefined;

/** Thrown at the first unexpected outcome. Ends the scenario, because later calls depend on earlier ones. */
export class Surprise extends Error {}

/** Calls tools with one client and records the outcomes. */
export class Examination {
  readonly records: CallRecord[] = [];
  readonly #connection: Connection;
  readonly #check: SchemaCheck;

  constructor(connection: Connection, check: SchemaCheck) {
    this.#connection = connection;
    this.#check = check;
  }

  /**
   * Calls a tool and returns the members of its result; empty if an error was expected.
   *
   * @throws {Surprise} if the outcome is not the expected one.
   */
  async call<Result>(tool: string, about: string, args: object, outcome: Outcome): Promise<Result> {
    let answer: ToolAnswer | undefined;
    let surprise = this.#check(tool, 'arguments', args);
    try {
      answer = await this.#connection.callTool(tool, args);
      surprise ??= this.#surpriseIn(tool, answer, outcome);
    } catch (error) {
      surprise ??= String(error);
    }
    this.records.push({ tool, about, outcome, surprise });
    if (surprise !== undefined) throw new Surprise(`${tool} (${about}): ${surprise}`);
    return (answer?.structuredContent ?? {}) as Result;
  }

  /** The names of the listed tools that were not called. */
  listUncalled(listed: readonly ListedTool[]): readonly string[] {
    const called = new Set(this.records.map(({ tool }) => tool));
    return listed.map(({ name }) => name).filter((name) => !called.has(name));
  }

  #surpriseIn(tool: string, answer: ToolAnswer, outcome: Outcome): string | undefined {
    const { isError = false, content, structuredContent } = answer;
    const text = content.map((block) => block.text).join(' ');
    if ('refuses' in outcome) {
      if (!isError || !text.endsWith(`(${outcome.refuses})`)) return `was not refused so: ${text}`;
      return structuredContent === undefined ? undefined : 'was refused and has a result nevertheless';
    }
    if (isError) return `was refused: ${text}`;
    if (text === '') return 'says nothing in words';
    if (!includes(structuredContent, outcome.gives)) return `gives ${JSON.stringify(structuredContent)}`;
    return this.#check(tool, 'result', structuredContent);
  }
}

/** Returns whether `whole` contains every member of `part`, at any depth. */
function includes(whole: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return Object.is(whole, part);
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([name, value]) =>
    includes((whole as Record<string, unknown>)[name], value),
  );
}
