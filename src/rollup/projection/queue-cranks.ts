import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Logger } from '../../ports/logger.ts';
import { deriveMagicFeeVault } from '../../programs/delegation/pdas.ts';
import {
  decodeTransferQueue,
  ensureTransferQueueCrank,
} from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import type { Address } from '../../solana/address.ts';
import type { OwnRunner } from '../execution/run-own.ts';

/** What it takes to have queues paid out of. */
interface QueueCrankParts {
  readonly ledger: Pick<EmbeddedLedger, 'state'>;
  readonly runner: Pick<OwnRunner, 'start'>;
  readonly validator: Address;
  readonly logger: Logger;
}

/**
 * Schedules the task that pays out of a transfer queue, when the account at `address` is one that has none:
 * the rollup sees to its own queues, and nobody has to ask for it. Resolves when it is durable.
 */
export async function ensureCrank(address: Address, parts: QueueCrankParts): Promise<void> {
  const { ledger, runner, validator, logger } = parts;
  const account = ledger.state().get(address);
  const queue = account === undefined ? null : decodeTransferQueue(account.data);
  if (queue === null || queue.crankTaskId !== null) return;
  const magicFeeVault = deriveMagicFeeVault(validator).address;
  const { err, written } = runner.start([
    ensureTransferQueueCrank({ payer: validator, queue: address, magicFeeVault }),
  ]);
  if (err !== null)
    logger.error(
      { mint: queue.mint, reason: err },
      'nothing pays out of a transfer queue: its task was refused',
    );
  await written;
}
