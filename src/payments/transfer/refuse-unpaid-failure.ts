import { ServiceError } from '../../errors/service-error.ts';
import type { Warning } from '../building/built-transaction.ts';
import type { TransferRequest } from './request/transfer-request.ts';

/** Warnings of what makes a transfer fail, whose fee is paid all the same. */
const FAILING: ReadonlySet<string> = new Set([
  'INSUFFICIENT_TOKENS',
  'TOKEN_ACCOUNT_FROZEN',
  'TOKEN_ACCOUNT_GUARDED',
  'TOKEN_ACCOUNT_CONFIDENTIAL_ONLY',
  'MEMO_REQUIRED',
  'SENDER_NOT_ON_ROLLUP',
  'MINT_PAUSED',
  'MINT_ACCOUNTS_BEGIN_FROZEN',
]);

/** On the rollup the transfer fails; a shuttle from base leaves, and its tokens come back. */
const NOWHERE = 'RECIPIENT_NOT_ON_ROLLUP';

/**
 * Refuses a gasless transfer that fails as things are: the sponsor would pay for it and get nothing. A sender
 * who pays is only warned.
 *
 * @throws {ServiceError} TRANSACTION_BUILD_ERROR with the warning.
 */
export function refuseUnpaidFailure(
  { sponsor, route }: Pick<TransferRequest, 'sponsor' | 'route'>,
  warnings: readonly Warning[],
): void {
  if (sponsor === null) return;
  const failing = warnings.find(
    ({ code }) => FAILING.has(code) || (route === 'ephemeral' && code === NOWHERE),
  );
  if (failing !== undefined) throw unpaidFailure(failing);
}

/** The error for a gasless transfer that fails, as a warning says. */
export const unpaidFailure = ({ code, message }: Warning): ServiceError =>
  new ServiceError(
    'TRANSACTION_BUILD_ERROR',
    `The sponsor of gasless transfers pays for none that fails. ${message}`,
    { field: 'gasless', reason: code },
  );
