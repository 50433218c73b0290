import type { Chain, LedgerClient, QueueTask } from '../../chain/chain.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { deriveEata, deriveTransferQueue } from '../../programs/ephemeral-token/pdas.ts';
import { derivePermission } from '../../programs/permission/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { deriveDelegationAccounts, remember, REMEMBERED_MAX } from './deposit-accounts.ts';

/** State of a transfer queue. Only delegated queues accept transfers. */
export type QueueStatus = 'absent' | 'undelegated' | 'delegated';

/**
 * Reads the transfer queue of a mint on a validator from base.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if the queue's address holds another kind of account.
 */
export async function readTransferQueue(
  chain: LedgerClient,
  mint: Address,
  validator: Address,
): Promise<{ queue: Address; status: QueueStatus }> {
  const queue = deriveTransferQueue(mint, validator).address;
  const [account = null] = await chain.getAccounts([queue]);
  return { queue, status: queueStatusOf(queue, account, { mint, validator }) };
}

/**
 * Checks the account at a queue's address. A queue keeps its data while it is delegated.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if the account is delegated but not a queue of this mint and
 * validator.
 */
export function queueStatusOf(
  queue: Address,
  account: Account | null,
  expected: { readonly mint: Address; readonly validator: Address },
): QueueStatus {
  if (account?.owner === EPHEMERAL_TOKEN_PROGRAM) return 'undelegated';
  if (account?.owner !== DELEGATION_PROGRAM) return 'absent';
  const decoded = decodeTransferQueue(account.data);
  if (decoded?.mint !== expected.mint || decoded.validator !== expected.validator) {
    throw new ServiceError(
      'ACCOUNT_UNREADABLE',
      `The account ${queue} cannot be decoded as the transfer queue of mint ${expected.mint} on validator ${expected.validator}; try again, or ask the operator to check the RPC URLs`,
      { queue, ...expected },
    );
  }
  return 'delegated';
}

/** Derives the transfer queue of a mint on a validator. */
export const queueAccountsOf = (mint: Address, validator: Address, tokenProgram: Address) =>
  // The key is a single string. It is unambiguous, because base58 contains no spaces.
  queues(`${mint} ${validator} ${tokenProgram}`);

const queues = remember(REMEMBERED_MAX, (key) => {
  const [mint, validator, tokenProgram] = key.split(' ') as [Address, Address, Address];
  const queue = deriveTransferQueue(mint, validator).address;
  const queueEata = deriveEata(queue, mint).address;
  return {
    queue,
    queuePermission: derivePermission(queue).address,
    queueEata,
    queueAta: deriveAta(queue, mint, tokenProgram).address,
    eataDelegation: deriveDelegationAccounts(queueEata, EPHEMERAL_TOKEN_PROGRAM),
  };
});

/**
 * Status of the task that pays out a queue: `running` or `failing` if the rollup reports its tasks; otherwise
 * `scheduled` if the queue names a task, because no account shows whether the validator still runs it; `none`
 * if there is no task; `unknown` if the queue cannot be read.
 */
export type CrankStatus = QueueTask | 'scheduled' | 'unknown';

/**
 * Asks the rollup whether a delegated queue has a task, or else reads the task id from the queue's header
 * (TransferQueueHeader of the ephemeral SPL token program). The rollup sets the id, which reaches base only
 * with a commit. Returns `unknown` if the rollup belongs to another validator or does not answer.
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

/** Maximum age of a cached status, in ms. */
export const RECENT_MS = 30_000;

/** Maximum number of cached queues per chain. The oldest is dropped first. */
const QUEUES_MAX = 256;

interface Reading {
  readonly status: Promise<CrankStatus>;
  readonly at: number;
}

const chains = new WeakMap<Pick<Chain, 'rollup'>, Map<Address, Reading>>();

/**
 * Returns the result of {@link readCrankStatus}, cached for {@link RECENT_MS}. Every payment needs the
 * status, and an unresponsive rollup must not delay each one. `none` is never cached, because the caller is
 * warned to fix it.
 */
export function recentCrankStatus(
  chain: Pick<Chain, 'rollup'>,
  queue: Address,
  expected: { readonly mint: Address; readonly validator: Address },
  clock: Clock = systemClock,
): Promise<CrankStatus> {
  const readings = chains.get(chain) ?? new Map<Address, Reading>();
  chains.set(chain, readings);
  const last = readings.get(queue);
  const at = clock.now();
  // A negative age means that the clock was set back, so the entry is not used.
  if (last !== undefined && at >= last.at && at - last.at <= RECENT_MS) return last.status;
  const reading: Reading = { status: readCrankStatus(chain, queue, expected), at };
  const forget = (): void => {
    if (readings.get(queue) === reading) readings.delete(queue);
  };
  reading.status.then((status) => void (status === 'none' && forget()), forget);
  readings.delete(queue);
  if (readings.size >= QUEUES_MAX) readings.delete(readings.keys().next().value as Address);
  readings.set(queue, reading);
  return reading.status;
}
