import { TOKEN_2022_PROGRAM } from '../../programs/addresses.ts';
import { CLOCK_SYSVAR, decodeClockTime, decodeEpoch } from '../../programs/sysvars.ts';
import { type AmountScale, amountScaleOf } from '../../programs/token/amount-scale.ts';
import {
  decodeMintExtensions,
  listExtensions,
  type MintExtensions,
  type TransferFeeDue,
  transferFeeOf,
} from '../../programs/token/mint-extensions.ts';
import type { Address } from '../../solana/address.ts';
import type { Context } from './call.ts';

type Accounts = Context['accounts'];

/**
 * The extensions of a mint on chain: null if it cannot have any, 'unread' if it was not read or is malformed.
 */
export function extensionsOf(accounts: Accounts, mint: Address): MintExtensions | null | 'unread' {
  const account = accounts.get(mint);
  if (account === undefined) return 'unread';
  if (account?.owner !== TOKEN_2022_PROGRAM) return null;
  return decodeMintExtensions(account.data) ?? 'unread';
}

/**
 * How wallets show amounts of a mint at the node's current time; null if decimals alone determine it, or if
 * the mint or the clock was not read.
 */
export function scaleOf(accounts: Accounts, mint: Address | null): AmountScale | null {
  const account = mint === null ? null : accounts.get(mint);
  const now = decodeClockTime(accounts.get(CLOCK_SYSVAR) ?? null)?.unixTimestamp;
  if (account?.owner !== TOKEN_2022_PROGRAM || now === undefined) return null;
  return amountScaleOf(listExtensions(account.data) ?? [], now) ?? null;
}

/**
 * The fee of transferring `amount` base units at the clock's epoch; the larger of the two fees if the clock
 * was not read.
 */
export function feeDue(accounts: Accounts, mint: Address | null, amount: bigint): TransferFeeDue {
  const extensions = mint === null ? null : extensionsOf(accounts, mint);
  if (extensions === null || extensions === 'unread') return { withheld: 0n, isCertain: true };
  return transferFeeOf(extensions, decodeEpoch(accounts.get(CLOCK_SYSVAR) ?? null), amount);
}
