import type { Logger } from '../../ports/logger.ts';
import type { LedgerDatabase } from './ledger-database.ts';

/** Of how many parts the log tells. */
const PARTS = 20;

/** What has to be moved. */
interface Move {
  /** What is moved, for the log. */
  readonly what: 'accounts' | 'transactions';
  left(): number;
  moveSome(): Promise<void>;
}

/**
 * Moves the accounts and transactions of an earlier format to where they are now, a few at a time. A start
 * that is killed on the way goes on where it was.
 *
 * @throws {ServiceError} LEDGER_DAMAGED.
 */
export async function moveEarlier(
  database: Pick<
    LedgerDatabase,
    'unmovedAccounts' | 'moveSomeAccounts' | 'unmovedRecords' | 'moveSomeRecords'
  >,
  logger: Logger,
): Promise<void> {
  await moveAll(
    {
      what: 'accounts',
      left: () => database.unmovedAccounts,
      moveSome: () => database.moveSomeAccounts(),
    },
    logger,
  );
  await moveAll(
    {
      what: 'transactions',
      left: () => database.unmovedRecords,
      moveSome: () => database.moveSomeRecords(),
    },
    logger,
  );
}

async function moveAll({ what, left, moveSome }: Move, logger: Logger): Promise<void> {
  const all = left();
  if (all === 0) return;
  logger.info(
    { [what]: all },
    `the ledger has an earlier format; its ${what} are moved into the present one`,
  );
  let told = 0;
  while (left() > 0) {
    await moveSome();
    const moved = all - left();
    const part = Math.floor((moved * PARTS) / all);
    if (part > told) logger.info({ moved, [what]: all }, `${what} moved`);
    told = part;
  }
}
