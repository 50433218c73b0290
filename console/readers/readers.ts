import type { Ledger, Reader, Viewpoint } from '../parts/reader.ts';
import { POLL_MS, type Feeds } from './feed.ts';
import { createReader, type LedgerReader } from './reader.ts';
import type { ReaderPorts } from './transport.ts';
import type { Answer } from './wire.ts';

/** The readers of the page. */
export interface Readers {
  /** The base ledger, which needs no token. */
  readonly base: LedgerReader;
  /** The base ledger for actions of the page. A switch of the viewpoint does not abort its calls. */
  readonly acting: LedgerReader;
  /** The rollup, without a token. */
  readonly anyone: LedgerReader;
  /** The rollup with the token of a wallet; null if the wallet is not logged in. */
  owner(wallet: string): LedgerReader | null;
  /** Drops the cache of every reader of a ledger. */
  stale(ledger: Ledger): void;
  /** Drops all answers and aborts all calls when the viewpoint changes. */
  forget(): void;
}

/** Creates the readers. @param tokenOf the current token of a wallet; null if it is not logged in. */
export function createReaders(ports: ReaderPorts, tokenOf: (wallet: string) => string | null): Readers {
  const none = (): null => null;
  const base = createReader({ name: 'base', ledger: 'base', wallet: null, token: none }, ports);
  const acting = createReader({ name: 'base', ledger: 'base', wallet: null, token: none }, ports);
  const anyone = createReader({ name: 'anyone', ledger: 'rollup', wallet: null, token: none }, ports);
  const owners = new Map<string, LedgerReader>();
  const all = (): readonly LedgerReader[] => [base, anyone, ...owners.values()];
  return {
    base,
    acting,
    anyone,
    owner: (wallet) => {
      if (tokenOf(wallet) === null) return null;
      let reader = owners.get(wallet);
      if (reader === undefined) {
        const token = (): string | null => tokenOf(wallet);
        reader = createReader({ name: 'owner', ledger: 'rollup', wallet, token }, ports);
        owners.set(wallet, reader);
      }
      return reader;
    },
    stale: (ledger) => {
      for (const reader of all()) if (reader.ledger === ledger) reader.stale();
    },
    forget: () => {
      for (const reader of all()) reader.forget();
    },
  };
}

/**
 * Creates the reader that views use. The base viewpoint never calls the rollup.
 *
 * @param wallet the wallet whose token the owner's viewpoint sends.
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
    return as === 'base' ? null : as === 'owner' ? owner : readers.anyone;
  };
  return {
    as,
    ledgers: as === 'base' ? ['base'] : ['base', 'rollup'],
    call: (ledger, method, params) => valueOf(of(ledger)?.ask(method, params)),
    known: async <T>(ledger: Ledger, method: string, params?: readonly unknown[]): Promise<T> => {
      const reader = of(ledger);
      const value = await valueOf(reader?.call<T>(method, params));
      // Null answers are not cached, because notifications arrive before their slot ends.
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

/** Unwraps an answer. @param asked undefined if the viewpoint does not call this ledger. */
async function valueOf<T>(asked: Promise<Answer<T>> | undefined): Promise<T> {
  const answer = await asked;
  if (answer?.kind === 'value') return answer.value;
  throw new Error(answer?.message ?? 'This viewpoint does not query the rollup.');
}
