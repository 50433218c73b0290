import type { Ledger } from '../../ledger/ledger.ts';
import { createDispatcher, type Dispatcher, type DispatcherOptions } from '../dispatcher.ts';

/** A ledger that not everybody may read all of. */
export interface Readership {
  /** The ledger as it is shown to whoever sent no token. */
  readonly publicView: Ledger;
  /**
   * The ledger as the holder of a token sees it, the same object for as long as it is kept; undefined for a
   * token that is no good.
   */
  viewOf(token: string): Ledger | undefined;
}

/** What answers calls by the token they come with; see `RpcHandlerOptions`. */
interface ReaderDispatchers {
  readonly dispatch: Dispatcher;
  readonly dispatcherFor: (token: string) => Dispatcher | undefined;
}

/**
 * Dispatchers that answer everybody from what they may read of the ledger, in place of the whole of
 * `options.node`'s.
 */
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
    dispatch: dispatcherOn(readership.publicView),
    dispatcherFor(token) {
      const view = readership.viewOf(token);
      return view && dispatcherOn(view);
    },
  };
}
