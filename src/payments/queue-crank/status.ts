import type { Chain } from '../../chain/chain.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue-state.ts';
import type { Address } from '../../solana/address.ts';

/**
 * Whether a task pays out the transfers of a queue: `scheduled` when the queue names one, `none` when it names none,
 * `unknown` when that cannot be read. No account tells whether the validator still runs a task that was scheduled.
 */
export type CrankStatus = 'scheduled' | 'none' | 'unknown';

/**
 * Reads from the rollup whether a delegated queue has its task: the id in the header of the queue (TransferQueueHeader of
 * the ephemeral SPL token program), which is set there and reaches base only when the rollup commits the account. What
 * another rollup than that of the queue's validator shows is not taken, and a rollup that does not answer leaves it open.
 */
export async function readCrankStatus(
  { rollup }: Pick<Chain, 'rollup'>,
  queue: Address,
  expected: { readonly mint: Address; readonly validator: Address },
): Promise<CrankStatus> {
  if (rollup === null) return 'unknown';
  try {
    if ((await rollup.identity()) !== expected.validator) return 'unknown';
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
