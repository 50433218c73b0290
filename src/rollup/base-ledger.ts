import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';

/**
 * What a rollup needs of the base ledger, which is in the same process: reads are synchronous and always of
 * now.
 */
export type BaseLedger = Pick<
  EmbeddedLedger,
  | 'genesisHash'
  | 'state'
  | 'toldState'
  | 'untold'
  | 'head'
  | 'historyStart'
  | 'getTransaction'
  | 'submit'
  | 'setOwnAccounts'
  | 'subscribe'
  | 'observe'
>;
