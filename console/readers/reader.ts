import type { Ledger, Viewpoint } from '../parts/reader.ts';
import { sendBatch, type ReaderPorts, type RpcCall, type RpcOutcome } from './transport.ts';
import { slotOf, wordOf, type Answer, type Wire } from './wire.ts';

/** Maximum calls in a batch, which is the limit of the nodes. */
const BATCH_MAX = 100;

/** Maximum cached answers: a few screens of rows. */
const KNOWN_MAX = 500;

/** Calls one ledger in one role, and caches the answers for that role only. */
export interface LedgerReader {
  readonly name: Viewpoint;
  readonly ledger: Ledger;
  /** The wallet whose token is sent; null for none. */
  readonly wallet: string | null;
  /**
   * Returns the cached answer or calls the ledger. Failures are not cached. Calls of one turn share a batch.
   */
  call<T>(method: string, params?: readonly unknown[]): Promise<Answer<T>>;
  /** Calls the ledger without caching. */
  ask<T>(method: string, params?: readonly unknown[]): Promise<Answer<T>>;
  /** Calls the ledger and caches the answer. */
  fresh<T>(method: string, params?: readonly unknown[]): Promise<Answer<T>>;
  /** Drops one cached answer. */
  drop(method: string, params?: readonly unknown[]): void;
  /** Drops the cache because something happened. Calls in flight are still answered. */
  stale(): void;
  /** Drops the cache and aborts calls in flight, which then fail. */
  forget(): void;
}

/** The role of a reader. */
interface ReaderRole {
  readonly name: Viewpoint;
  readonly ledger: Ledger;
  readonly wallet: string | null;
  /** The current token; null for none. */
  token(): string | null;
}

interface Waiting extends RpcCall {
  readonly resolve: (answer: Answer<unknown>) => void;
}

/** Creates a reader with its own cache. Roles never share answers. */
export function createReader(role: ReaderRole, ports: ReaderPorts): LedgerReader {
  const known = new Map<string, Promise<Answer<unknown>>>();
  let turn: Waiting[] = [];
  let ending = new AbortController();

  const flush = (): void => {
    const waiting = turn;
    turn = [];
    for (let at = 0; at < waiting.length; at += BATCH_MAX) {
      void exchange(role, ports, waiting.slice(at, at + BATCH_MAX), ending.signal);
    }
  };
  const ask = <T>(method: string, params: readonly unknown[] = []): Promise<Answer<T>> =>
    new Promise<Answer<unknown>>((resolve) => {
      if (turn.length === 0) queueMicrotask(flush);
      turn.push({ method, params, resolve });
    }) as Promise<Answer<T>>;
  const fresh = <T>(method: string, params: readonly unknown[] = []): Promise<Answer<T>> => {
    const asked = ask<T>(method, params);
    const key = keyOf(method, params);
    known.set(key, asked);
    for (const oldest of known.keys()) {
      if (known.size <= KNOWN_MAX) break;
      known.delete(oldest);
    }
    // Failures are not cached, because the next attempt may succeed.
    void asked.then(({ kind }) => {
      if (kind === 'failed' && known.get(key) === asked) known.delete(key);
    });
    return asked;
  };
  return {
    name: role.name,
    ledger: role.ledger,
    wallet: role.wallet,
    ask,
    fresh,
    call: <T>(method: string, params: readonly unknown[] = []) =>
      (known.get(keyOf(method, params)) as Promise<Answer<T>> | undefined) ?? fresh<T>(method, params),
    drop: (method, params = []) => void known.delete(keyOf(method, params)),
    stale: () => known.clear(),
    forget: () => {
      known.clear();
      ending.abort();
      ending = new AbortController();
    },
  };
}

const keyOf = (method: string, params: readonly unknown[]): string =>
  JSON.stringify([method, params], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value.toString()}n` : value,
  );

async function exchange(
  role: ReaderRole,
  ports: ReaderPorts,
  waiting: readonly Waiting[],
  signal: AbortSignal,
): Promise<void> {
  const token = role.token();
  const began = ports.now();
  const calls = waiting.map(({ method, params }) => ({ method, params }));
  const outcomes = await sendBatch(ports, role.ledger, calls, token, signal);
  const ms = ports.now() - began;
  waiting.forEach(({ method, params, resolve }, index) => {
    const outcome = outcomes[index] ?? {
      error: { code: null, message: 'The ledger did not answer this call.' },
    };
    const wire = wireOf(outcome, {
      method,
      params,
      ms,
      ledger: role.ledger,
      token: token === null ? null : role.wallet,
      calls: waiting.length,
    });
    resolve(answerOf(outcome, wire));
  });
}

function wireOf(outcome: RpcOutcome, asked: Omit<Wire, 'answer' | 'slot'>): Wire {
  if ('error' in outcome) {
    return {
      ...asked,
      answer: outcome.error.code === null ? 'no answer' : `error ${outcome.error.code}`,
      slot: null,
    };
  }
  return { ...asked, answer: wordOf(outcome.result), slot: slotOf(outcome.result) };
}

const answerOf = (outcome: RpcOutcome, wire: Wire): Answer<unknown> =>
  'error' in outcome
    ? { kind: 'failed', code: outcome.error.code, message: outcome.error.message, wire }
    : { kind: 'value', value: outcome.result, wire };
