import type { Chain, QueueTask } from '../../chain/chain.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue-state.ts';
import type { Address } from '../../solana/address.ts';

/**
 * Whether a task pays out a queue. A rollup that reports its tasks tells whether it is `running` or
 * `failing`; otherwise it is `scheduled` if the queue names one, as no account shows whether the validator
 * still runs it. `none` if there is none, `unknown` if that cannot be read.
 */
export type CrankStatus = QueueTask | 'scheduled' | 'unknown';

/**
 * Asks the rollup whether a delegated queue has a task, or reads its id in the queue's header
 * (TransferQueueHeader of the ephemeral SPL token program), which is set on the rollup and reaches base only
 * by a commit. Only the rollup of the queue's own validator counts. If it does not answer, the status is
 * unknown.
 */
export async function readCrankStatus(
  { rollup }: Pick<Chain, 'rollup'>,
  queue: Address,
  expected: { readonly mint: Address; readonly validator: Address },
): Promise<CrankStatus> {
  if (rollup === null) return 'unknown';
  try {
    if ((await rollup.identity()) !== expected.validator) return 'unknown';
    if (rollup.queueTask !== undefined) return await rollup.queueTask(queue);
    const [account = null] = await rollup.getAccounts([queue]);
    if (account?.owner !== EPHEMERAL_TOKEN_PROGRAM) return 'unknown';
    const header = decodeTransferQueue(account.data);
    if (header?.mint !== expected.mint || header.validator !== expected.validator) return 'unknown';
    return header.crankTaskId === null ? 'none' : 'scheduled';
  } catch (error) {
    if (isServiceError(error)) return 'unknown';
    throw error;
  }
}
