import type { Ledger } from '../../ledger/ledger.ts';
import { createDispatcher, type Dispatcher, type DispatcherOptions } from '../dispatcher.ts';

/** A ledger with private accounts. */
export interface Readership {
  /** The ledger as shown without a token. */
  readonly publicView: Ledger;
  /**
   * The ledger as the holder of a token sees it, the same object for as long as it is cached; undefined for
   * an invalid token.
   */
  viewOf(token: string): Ledger | undefined;
}

/** Dispatchers by token; see `RpcHandlerOptions`. */
interface ReaderDispatchers {
  readonly dispatch: Dispatcher;
  readonly dispatcherFor: (token: string) => Dispatcher | undefined;
}

/**
 * Creates dispatchers that show each reader only what it may read, instead of all of `options.node`'s ledger.
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
