import type { Ledger } from '../../ledger/ledger.ts';
import type { Address } from '../../solana/address.ts';
import { createDispatcher, type Dispatcher, type DispatcherOptions } from '../dispatcher.ts';

/** A ledger that not everybody may read all of. */
export interface Readership {
  /** Whose token it is; undefined for one that is no good. */
  readerOf(token: string): Address | undefined;
  /** The ledger as a reader sees it, null for whoever sent no token. The same object for as long as it is kept. */
  viewFor(reader: Address | null): Ledger;
}

/** What answers calls by the token they come with; see `RpcHandlerOptions`. */
export interface ReaderDispatchers {
  readonly dispatch: Dispatcher;
  readonly dispatcherFor: (token: string) => Dispatcher | undefined;
}

/** Dispatchers that answer everybody from what they may read of the ledger, in place of the whole of `options.node`'s. */
export function createReaderDispatchers(
  options: DispatcherOptions,
  readership: Readership,
): ReaderDispatchers {
  const dispatchers = new WeakMap<Ledger, Dispatcher>();
  const dispatcherOn = (ledger: Ledger): Dispatcher => {
    let dispatch = dispatchers.get(ledger);
    if (dispatch === undefined) {
      dispatch = createDispatcher({ ...options, node: { ...options.node, ledger } });
      dispatchers.set(ledger, dispatch);
    }
    return dispatch;
  };
  return {
    dispatch: dispatcherOn(readership.viewFor(null)),
    dispatcherFor(token) {
      const reader = readership.readerOf(token);
      return reader === undefined ? undefined : dispatcherOn(readership.viewFor(reader));
    },
  };
}
