import type { RollupContext } from '../rollup-context.ts';
import { DELEGATION_RECORD_BYTES } from '../../programs/delegation/state.ts';
import { itemEntry } from '../books/item.ts';
import { RESCUE } from '../books/items.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { decodeDelegationActions } from '../../programs/delegation/delegation-actions.ts';
import { deriveMagicFeeVault } from '../../programs/delegation/pdas.ts';
import {
  ensureTransferQueueCrank,
  decodeTransferQueue,
} from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import type { Address } from '../../solana/address.ts';
import { BooksView } from '../books/books.ts';
import { addressOfSubject, type Delegation, addDelegated, removeDelegated } from './delegation.ts';

/** Whether a delegation must be accepted by {@link acceptActions}. */
export const hasActions = ({ record }: Delegation): boolean => record.data.length > DELEGATION_RECORD_BYTES;

/**
 * Accepts a delegation with actions, unless it was abandoned. Resolves when the result is durable. The
 * delegation and all effects of its actions are one commit, so a shuttle that is on the rollup has been
 * unloaded. If the actions fail, the delegation is not accepted, and the books record that it must be
 * returned: the owner gets the tokens back on base. Both states are in the rollup's accounts, so a crash
 * repeats neither. A full transfer queue is not a failure, because the program itself returns such a payment.
 *
 * Changes the accounts before it returns its promise.
 */
export async function acceptActions(
  { subject, record, entries }: Delegation,
  { ledger, projections, runner, validator, logger }: RollupContext,
): Promise<void> {
  const account = addressOfSubject(subject);
  if (new BooksView(ledger.state()).rescueOf(account) !== null) return;
  const instructions = decodeDelegationActions(record.data, (sealed) => validator.openSealed(sealed));
  let failure: TransactionError = 'its actions cannot be read';
  if (instructions !== null) {
    addDelegated(projections, subject);
    const { err, written } = runner.start(instructions, { first: entries });
    if (err === null) return await written;
    removeDelegated(projections, subject);
    failure = err;
  }
  // The log entry names no account, because the owner of a payment is private.
  logger.error({ reason: failure }, 'the actions of a delegation failed: its tokens are returned');
  const reason = typeof failure === 'string' ? failure : JSON.stringify(failure);
  await ledger.setOwnAccounts([itemEntry(RESCUE, { account, reason, signature: null })]);
}

/**
 * Schedules the task that pays out a transfer queue, if the account at `address` is a queue without one. The
 * rollup does this by itself for its queues. Resolves when it is durable.
 */
export async function ensureCrank(address: Address, context: RollupContext): Promise<void> {
  const { ledger, runner, validator, logger } = context;
  const account = ledger.state().get(address);
  const queue = account === undefined ? null : decodeTransferQueue(account.data);
  if (queue === null || queue.crankTaskId !== null) return;
  const magicFeeVault = deriveMagicFeeVault(validator.address).address;
  const { err, written } = runner.start([
    ensureTransferQueueCrank({ payer: validator.address, queue: address, magicFeeVault }),
  ]);
  if (err !== null)
    logger.error(
      { mint: queue.mint, reason: err },
      'a transfer queue is not paid out: its task was rejected',
    );
  await written;
}
