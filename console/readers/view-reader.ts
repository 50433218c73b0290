import type { Ledger, Reader, Viewpoint } from '../parts/reader.ts';
import { POLL_MS } from './feed.ts';
import type { Feeds } from './feeds.ts';
import type { LedgerReader } from './reader.ts';
import type { Readers } from './readers.ts';
import type { Answer } from './wire.ts';

/**
 * The one reader of a viewpoint as views take it. Base is always asked as everybody; what base is not told of
 * is not asked of anybody else.
 *
 * @param wallet whose token is sent where the owner looks.
 */
export function createViewReader(
  readers: Readers,
  feeds: Feeds,
  as: Viewpoint,
  wallet: string | null,
): Reader {
  const owner = as === 'owner' && wallet !== null ? readers.owner(wallet) : null;
  const of = (ledger: Ledger): LedgerReader | null => {
    if (ledger === 'base') return readers.base;
    return as === 'base' ? null : as === 'owner' ? owner : readers.anybody;
  };
  return {
    as,
    ledgers: as === 'base' ? ['base'] : ['base', 'rollup'],
    call: (ledger, method, params) => valueOf(of(ledger)?.ask(method, params)),
    known: async <T>(ledger: Ledger, method: string, params?: readonly unknown[]): Promise<T> => {
      const reader = of(ledger);
      const value = await valueOf(reader?.call<T>(method, params));
      // What is not there may come: a row is told of before its slot is over.
      if (value === null) reader?.drop(method, params);
      return value;
    },
    subscribe: (ledger, method, params, onEvent, onFeed) => {
      if (of(ledger) === null) return () => undefined;
      const feed = feeds.of(ledger, ledger === 'rollup' && as === 'owner' ? wallet : null);
      const end = feed.subscribe(method, params, onEvent);
      const stop = feed.state.subscribe((state) =>
        onFeed?.({
          following: state === 'following',
          behindSeconds: state === 'paused' ? POLL_MS / 1_000 : 0,
        }),
      );
      return () => {
        stop();
        end();
      };
    },
  };
}

/** @param asked undefined where the viewpoint does not ask. */
async function valueOf<T>(asked: Promise<Answer<T>> | undefined): Promise<T> {
  const answer = await asked;
  if (answer?.kind === 'value') return answer.value;
  throw new Error(answer?.message ?? 'This viewpoint does not ask the rollup.');
}
