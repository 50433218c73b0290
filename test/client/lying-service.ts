import { isDeepStrictEqual } from 'node:util';
import { takeApart, putTogether, type Parts } from '../hostile/transaction-parts.ts';

/** A manipulation by a dishonest service: it changes the request, or the built transaction. */
export interface Lie {
  /** Replaces the request. */
  readonly asks?: (body: Record<string, unknown>) => Record<string, unknown>;
  /** Replaces the response. */
  readonly answers?: (built: Built) => Record<string, unknown>;
  /** Whether a response can be honest, for example the first one of a replay. */
  readonly mayBeHonest?: boolean;
}

/** The response of an operation that builds. */
export interface Built extends Record<string, unknown> {
  readonly transactionBase64: string;
}

/** Creates a fetch that reaches an honest service through a dishonest one. */
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

/** Creates a lie about the instructions of a transaction. */
export const withParts = (change: (parts: Parts) => Partial<Parts>): Lie => ({
  answers: (built) => {
    const parts = takeApart(built);
    return { ...built, transactionBase64: putTogether({ ...parts, ...change(parts) }) };
  },
});
