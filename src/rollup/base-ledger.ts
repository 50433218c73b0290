import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';

/**
 * The parts of the base ledger that a rollup uses. It runs in the same process, so reads are synchronous and
 * current.
 */
export type BaseLedger = Pick<
  EmbeddedLedger,
  | 'genesisHash'
  | 'state'
  | 'publishedState'
  | 'unpublished'
  | 'head'
  | 'historyStart'
  | 'getTransaction'
  | 'submit'
  | 'setOwnAccounts'
  | 'subscribe'
  | 'observe'
>;
