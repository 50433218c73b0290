import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { Keypair } from '../ledger/keypair.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Timer } from '../ports/timer.ts';
import type { OwnRunner } from './execution/run-own.ts';
import type { Projections } from './projection/projections.ts';

/**
 * The parts of the base ledger that a rollup uses. Both run in the same process, so reads are synchronous and
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

/** Dependencies that all parts of an open rollup share. */
export interface RollupContext {
  readonly base: BaseLedger;
  /** The rollup's own ledger. */
  readonly ledger: EmbeddedLedger;
  readonly projections: Projections;
  readonly runner: Pick<OwnRunner, 'run' | 'start'>;
  /** The validator that settles on base. eATAs are delegated to it. */
  readonly validator: Keypair;
  readonly clock: Clock;
  readonly random: Random;
  readonly timer: Timer;
  readonly logger: Logger;
}
