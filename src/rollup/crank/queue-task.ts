import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeClockTime } from '../../programs/clock.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue-state.ts';
import { CLOCK_SYSVAR } from '../../programs/sysvars.ts';
import type { Address } from '../../solana/address.ts';
import type { CrankTask } from '../books/crank-task.ts';

/** Tag of `ProcessTransferQueueTick` of the ephemeral token program; its first account is the queue. */
const TICK = 203;

/** The queue whose transfers a task has paid out; null for any other task. */
export function queueOf({ instructions }: CrankTask): Address | null {
  const [tick, ...others] = instructions;
  const isTick = tick?.programId === EPHEMERAL_TOKEN_PROGRAM && tick.data[0] === TICK && others.length === 0;
  return isTick ? (tick.accounts[0]?.address ?? null) : null;
}

/**
 * When a queue has something to pay: `never` as long as nothing is put into it, `later` by the ledger's own
 * time. A queue that cannot be read is left to its program.
 */
export function hasDueTransfer(
  queue: Address,
  ledger: Pick<EmbeddedLedger, 'getAccount'>,
): 'now' | 'later' | 'never' {
  const account = ledger.getAccount(queue);
  const decoded = account === null ? null : decodeTransferQueue(account.data);
  if (decoded === null) return 'now';
  const [first] = decoded.transfers;
  if (first === undefined) return 'never';
  const seconds = decodeClockTime(ledger.getAccount(CLOCK_SYSVAR))?.unixTimestamp ?? 0n;
  return first.readyAtMs <= seconds * 1_000n ? 'now' : 'later';
}
