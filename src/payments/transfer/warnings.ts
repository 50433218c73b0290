import { ServiceError } from '../../errors/service-error.ts';
import type { Account, Rent } from '../../solana/account.ts';
import { type Address, addressBytes, isAddress } from '../../solana/address.ts';
import { isOnCurve } from '../../solana/pda.ts';
import type { TokenAccountState } from '../accounts/token-account.ts';
import type { CrankStatus } from '../accounts/transfer-queue.ts';
import type { Warning } from '../building/built-transaction.ts';
import {
  warnOfConfidentialOnly,
  warnOfFrozen,
  warnOfLowRentPda,
  warnOfUnpaidPayee,
} from '../building/warnings.ts';
import { rentPdaLow, rentPdaSpent } from '../fees/costs.ts';
import type { WrapNeeds } from '../mints/wrapped-sol.ts';
import type { EataStatus } from '../rollup-state/eata-status.ts';
import type { PlatformFee } from './fees.ts';
import type { TransferInput } from './input.ts';
import {
  ataBytesOf,
  hasEffect,
  ROUTES_OF,
  type Route,
  type TransferRequest,
  type TransferTask,
} from './request.ts';

/**
 * Describes a recipient address without a private key: a queue can pay a program's account, but not a token
 * account. The kind of account is not read, because the base RPC would learn who is paid. Returns null for
 * wallets and handles.
 *
 * @param to as specified in the request.
 */
export function keylessPayee(to: string): string | null {
  if (!isAddress(to) || isOnCurve(addressBytes(to))) return null;
  return `${to} is not the address of a wallet: no key signs for it. If it is a token account, its owner gets nothing and the fees are lost: pay the owner instead. Only an account of a program, such as a multisig, can be paid there.`;
}

/** Warnings for transfers that fail but still cost a fee. */
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

/** Warning with which a rollup transfer fails. From base, the shuttle is sent and its tokens return. */
const NOWHERE = 'RECIPIENT_NOT_ON_ROLLUP';

/**
 * Rejects a gasless transfer that would fail now, because the sponsor would pay for nothing. Senders who pay
 * themselves only get a warning.
 *
 * @throws {ServiceError} TRANSACTION_BUILD_ERROR with the warning.
 */
export function rejectFailingGasless(
  { sponsor, route }: Pick<TransferRequest, 'sponsor' | 'route'>,
  warnings: readonly Warning[],
): void {
  if (sponsor === null) return;
  const failing = warnings.find(
    ({ code }) => FAILING.has(code) || (route === 'ephemeral' && code === NOWHERE),
  );
  if (failing !== undefined) throw gaslessFailure(failing);
}

const gaslessFailure = ({ code, message }: Warning): ServiceError =>
  new ServiceError(
    'TRANSACTION_BUILD_ERROR',
    `The sponsor of gasless transfers does not pay for a transfer that would fail. ${message}`,
    { field: 'gasless', reason: code },
  );

/** Warns about an account that cannot receive a fee. `role` has its article. */
export function warnOfToll(role: string, ata: Address, { state, rules }: TokenAccountState): Warning[] {
  return [
    ...(state === 'frozen'
      ? [warnOfFrozen(`The token account ${ata} of ${role}, which receives a fee of this transfer,`)]
      : []),
    ...(rules.takesConfidentialOnly ? [warnOfConfidentialOnly(role, ata)] : []),
    ...(rules.needsMemo ? [warnOfMemoToll(role, ata)] : []),
  ];
}

/** Warns that an account that receives a fee requires a memo, which fee transfers do not have. */
const warnOfMemoToll = (role: string, ata: Address): Warning => ({
  code: 'MEMO_REQUIRED',
  message: `The token account ${ata} of ${role}, which receives a fee of this transfer, accepts only transfers that directly follow a memo, and fees have none. Have its owner turn that off (MemoTransfer Disable), or pass another account, or the transaction fails.`,
});

/**
 * Warns if the rent PDA may be unable to pay for the shuttle, even with this transaction's top-up.
 *
 * @throws {ServiceError} TRANSACTION_BUILD_ERROR if the PDA certainly cannot and a sponsor would pay for the
 * attempt.
 */
export function warnOfRentPda(
  { sponsor }: Pick<TransferTask['request'], 'sponsor'>,
  { rentPda, rent }: { readonly rentPda: Account | null; readonly rent: Rent },
  { rentTopUpLamports }: WrapNeeds,
): Warning[] {
  const lamports = (rentPda?.lamports ?? 0n) + rentTopUpLamports;
  if (lamports >= rentPdaLow(rent)) return [];
  const warning = warnOfLowRentPda(lamports, rent);
  if (sponsor !== null && lamports < rentPdaSpent(rent)) throw gaslessFailure(warning);
  return [warning];
}

/** Warns if the rent PDA may be unable to pay for the account that receives a payment from the rollup. */
export function warnOfPayoutRent(rentPda: Account | null, rent: Rent, task: TransferTask): Warning[] {
  // The PDA itself must remain rent-exempt.
  const needed = rent.minimum(ataBytesOf(task)) + rent.minimum(0);
  const held = rentPda?.lamports ?? 0n;
  return held < needed ? [warnOfUnpaidPayee(held, needed)] : [];
}

/** Warns if the sender has no tokens on the rollup. A null `validator` accepts any rollup. */
export function warnOfSender(owner: Address, status: EataStatus, validator: Address | null): Warning[] {
  if (isOnRollup(status, validator)) return [];
  return [
    {
      code: 'SENDER_NOT_ON_ROLLUP',
      message: `The sender ${owner} has no tokens of this mint ${placeOf(status, validator)}: deposit first, or the transaction fails.`,
    },
  ];
}

/** Warns if the recipient has no account on the rollup. */
export function warnOfRecipient(
  owner: Address,
  status: EataStatus,
  validator: Address | null,
  advice: string,
): Warning[] {
  if (isOnRollup(status, validator)) return [];
  return [
    {
      code: 'RECIPIENT_NOT_ON_ROLLUP',
      message: `The recipient ${owner} has no ephemeral token account of this mint ${placeOf(status, validator)}: ${advice}`,
    },
  ];
}

/** Warns if the recipient is not a wallet. */
export function warnOfKeylessPayee(to: string): Warning[] {
  const message = keylessPayee(to);
  return message === null ? [] : [{ code: 'RECIPIENT_KEYLESS', message }];
}

/**
 * Rejects a gasless transfer whose sponsor has no account on the rollup to receive its fee.
 *
 * @param status null without a sponsor.
 * @throws {ServiceError} SPONSOR_UNAVAILABLE.
 */
export function requireSponsor(status: EataStatus | null, validator: Address | null): void {
  if (status === null || isOnRollup(status, validator)) return;
  throw new ServiceError(
    'SPONSOR_UNAVAILABLE',
    `The sponsor of gasless transfers cannot receive its fee in this mint ${placeOf(status, validator)}; leave out gasless to have the sender pay the lamports`,
    { field: 'gasless' },
  );
}

/** Warns if no task pays out the transfer's queue. An unknown status gives no warning. */
export function warnOfIdleQueue(queue: Address, crank: CrankStatus): Warning[] {
  if (crank !== 'none') return [];
  return [
    {
      code: 'TRANSFER_QUEUE_NOT_CRANKED',
      message: `No task pays out the transfer queue ${queue}: the recipient gets nothing until spl.ensureTransferQueueCrank is called. Call it before you send, or right after.`,
    },
  ];
}

/** Warns if a requested platform fee rounds down to zero. */
export function warnOfZeroPlatformFee(input: TransferInput, fee: PlatformFee | null): Warning[] {
  const { platformFeeBps = 0, amount } = input;
  if (platformFeeBps === 0 || fee !== null) return [];
  return [
    {
      code: 'PLATFORM_FEE_ZERO',
      message: `The platform fee of ${platformFeeBps} basis points on ${amount} base units rounds down to 0: the transfer is built without it.`,
    },
  ];
}

/** Values that request nothing and need no warning. */
const IDLE_VALUES: ReadonlySet<unknown> = new Set([undefined, false, 0n]);

/** Warns about options that have no effect on this route. */
export function warnOfIdleOptions(input: TransferInput, route: Route): Warning[] {
  const idle = Object.keys(ROUTES_OF).filter((option) => {
    const value = input[option as keyof TransferInput];
    // One part is the default.
    const isDefault = IDLE_VALUES.has(value) || (option === 'split' && value === 1);
    return !hasEffect(option as keyof TransferInput, route) && !isDefault;
  });
  if (idle.length === 0) return [];
  const names = idle.join(', ');
  return [
    {
      code: 'OPTION_WITHOUT_EFFECT',
      message: `The transfer ignores ${names}, which this visibility, fromBalance and toBalance do not support.`,
    },
  ];
}

function isOnRollup(status: EataStatus, validator: Address | null): boolean {
  return status.at === 'rollup' && (validator === null || status.validator === validator);
}

function placeOf(status: EataStatus, validator: Address | null): string {
  if (status.at === 'rollup') return `on the rollup of validator ${validator}, but on another one`;
  return validator === null ? 'on the rollup' : `on the rollup of validator ${validator}`;
}
