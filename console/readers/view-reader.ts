import type { Ledger, LedgerAnswer, Reader, Viewpoint } from '../parts/reader.ts';
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
  const ask = async <T>(
    ledger: Ledger,
    method: string,
    params: readonly unknown[],
  ): Promise<Answer<T> | null> => (await of(ledger)?.ask<T>(method, params)) ?? null;
  return {
    as,
    call: async <T>(ledger: Ledger, method: string, params: readonly unknown[] = []): Promise<T> => {
      const answer = await ask<T>(ledger, method, params);
      if (answer?.kind === 'value') return answer.value;
      throw new Error(answer === null ? NOT_ASKED : answer.message);
    },
    batch: (calls) =>
      Promise.all(
        calls.map(async ({ ledger, method, params = [] }): Promise<LedgerAnswer> => {
          const answer = await ask<unknown>(ledger, method, params);
          if (answer?.kind === 'value') return { ok: true, result: answer.value };
          return { ok: false, code: answer?.code ?? 0, message: answer?.message ?? NOT_ASKED };
        }),
      ),
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

const NOT_ASKED = 'This viewpoint does not ask the rollup.';
