import { ServiceError } from '../../errors/service-error.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { decodeAccountRules, type AccountRules } from '../../programs/token/account-rules.ts';
import {
  decodeTokenHolding,
  holderOf,
  isHeldBy,
  isOfMint,
  type TokenHolding,
} from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/**
 * A token account as an operation expects it. Only the address of an ATA is derived from a wallet: the owner of the
 * tokens in it can be changed (SPL Token `SetAuthority`, `AccountOwner`).
 */
export interface ExpectedTokenAccount {
  readonly ata: Address;
  /** Whose tokens it should hold; null where anybody's will do. */
  readonly owner: Address | null;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** A token account that is as expected. */
export interface TokenAccountState extends TokenHolding {
  readonly rules: AccountRules;
}

/** How a token account is not as expected. One with lamports alone, sent to its address, is absent. */
type TokenAccountFault = 'absent' | 'unreadable' | 'of another mint' | "somebody else's";

/** Holds an account against what is expected of it: its program, form, mint and owner. */
export function judgeTokenAccount(
  { owner, mint, tokenProgram }: ExpectedTokenAccount,
  account: Account | null,
): TokenAccountState | TokenAccountFault {
  if (account === null || account.owner === SYSTEM_PROGRAM) return 'absent';
  const holding = account.owner === tokenProgram ? decodeTokenHolding(account.data) : null;
  if (holding === null) return 'unreadable';
  if (!isOfMint(account.data, mint)) return 'of another mint';
  if (owner !== null && !isHeldBy(account.data, owner)) return "somebody else's";
  return { amount: holding.amount, state: holding.state, rules: decodeAccountRules(account.data) };
}

/** What to do about a token account that belongs to somebody else, by what it was wanted for. */
export type WayOut = (place: { readonly owner: string; readonly holder: Address }) => string;

/**
 * The state of the token account a builder or a read was told to use; null where there is none.
 *
 * @throws {ServiceError} TOKEN_ACCOUNT_OWNER_MISMATCH when its tokens are somebody else's; ACCOUNT_UNREADABLE when it is no
 *   token account of the mint.
 */
export function readTokenAccount(
  expected: ExpectedTokenAccount,
  account: Account | null,
  wayOut: WayOut,
): TokenAccountState | null {
  const judged = judgeTokenAccount(expected, account);
  if (typeof judged !== 'string') return judged;
  if (judged === 'absent' || account === null) return null;
  if (judged === "somebody else's") throw ownerMismatch(expected, holderOf(account.data), wayOut);
  const { ata, mint } = expected;
  throw new ServiceError(
    'ACCOUNT_UNREADABLE',
    judged === 'unreadable'
      ? `The token account ${ata} of ${expected.owner ?? 'anybody'} cannot be read as one`
      : `The token account ${ata} is not one of mint ${mint}`,
    { ata, mint },
  );
}

function ownerMismatch(
  { ata, owner, mint }: ExpectedTokenAccount,
  holder: Address,
  wayOut: WayOut,
): ServiceError {
  const wallet = owner ?? 'nobody';
  return new ServiceError(
    'TOKEN_ACCOUNT_OWNER_MISMATCH',
    `The token account ${ata}, whose address is derived for ${wallet}, belongs to ${holder}: ${wayOut({ owner: wallet, holder })}`,
    { ata, owner: wallet, holder, mint },
  );
}

/** For an account that pays. */
export const forPaying: WayOut = ({ owner, holder }) =>
  `${owner} can take nothing from it. Have ${holder} hand it back (SetAuthority), or use another wallet; the programs take no other token account.`;

/** For an account that is paid on behalf of somebody. */
export const forBeingPaid: WayOut = ({ owner, holder }) =>
  `what is paid into it would be ${holder}'s. Pay another wallet, or have ${holder} hand it back to ${owner} first (SetAuthority).`;

/** For an account that a wallet's own tokens are withdrawn into. */
export const forWithdrawing: WayOut = ({ owner, holder }) =>
  `what is withdrawn into it would be ${holder}'s, and the program pays no other token account. Have ${holder} hand it back to ${owner} first (SetAuthority), or pay another wallet on the rollup and withdraw there.`;

/** For an account whose balance was asked for. */
export const forReading: WayOut = ({ owner, holder }) =>
  `what it holds is ${holder}'s and not ${owner}'s. Ask for another wallet, or have ${holder} hand it back (SetAuthority).`;
