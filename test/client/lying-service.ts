import { isDeepStrictEqual } from 'node:util';
import { takeApart, putTogether, type Parts } from '../hostile/transaction-parts.ts';

/** What a dishonest service does with one request: it builds something else, or changes what was built. */
export interface Lie {
  /** The request that is built for instead. */
  readonly asks?: (body: Record<string, unknown>) => Record<string, unknown>;
  /** What is answered instead. */
  readonly answers?: (built: Built) => Record<string, unknown>;
  /** Whether an answer may be the honest one: of a replay the first is, and any that is built alike. */
  readonly mayBeHonest?: boolean;
}

/** The answer of a builder. */
export interface Built extends Record<string, unknown> {
  readonly transactionBase64: string;
}

/** A fetch that reaches an honest service through a dishonest one. */
export const lyingFetch = ({ asks, answers, mayBeHonest = false }: Lie): typeof globalThis.fetch => {
  return async (url, init = {}) => {
    const body = JSON.parse(String(init.body)) as Record<string, unknown>;
    const { signal: _, ...rest } = init;
    const asked = asks?.(body) ?? body;
    if (asks !== undefined && isDeepStrictEqual(asked, body)) throw new Error('the lie asks for the same');
    const response = await fetch(url, { ...rest, body: JSON.stringify(asked) });
    const built = (await response.json()) as Built;
    if (!response.ok)
      throw new Error(`the honest service refuses what the lie begins with: ${built['detail']}`);
    const told = answers?.(built) ?? built;
    if (!mayBeHonest && asks === undefined && answers !== undefined && isDeepStrictEqual(told, built)) {
      throw new Error('the lie changes nothing');
    }
    return Response.json(told);
  };
};

/** A lie about the instructions of a transaction. */
export const withParts = (change: (parts: Parts) => Partial<Parts>): Lie => ({
  answers: (built) => {
    const parts = takeApart(built);
    return { ...built, transactionBase64: putTogether({ ...parts, ...change(parts) }) };
  },
});
