import type { Rollup, RollupAuth } from '../../chain/chain.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import {
  forReading,
  readTokenAccount,
  type ExpectedTokenAccount,
  type TokenAccountState,
} from '../accounts/token-account.ts';
import { tokenNeeded } from './token-needed.ts';

/**
 * The token account of a delegated eATA as the rollup shows it; its amount is in base units.
 *
 * @param account null if the rollup shows nothing at the address.
 * @throws {ServiceError} TOKEN_ACCOUNT_OWNER_MISMATCH; MISSING_AUTH_TOKEN or READER_NOT_ALLOWED if the rollup
 *   hides it; ACCOUNT_UNREADABLE.
 */
export async function readShownBalance(
  account: Account | null,
  rollup: Rollup,
  expected: ExpectedTokenAccount,
  token: string | undefined,
): Promise<TokenAccountState> {
  const { ata, mint } = expected;
  const tokens = readTokenAccount(expected, account, forReading);
  if (tokens !== null) return tokens;
  if (account === null) await refuseHidden(rollup, token, { ata, mint });
  const reason =
    account === null
      ? 'it shows no such account, and may not have taken it over yet'
      : `what it shows is not a token account of mint ${mint}`;
  throw new ServiceError(
    'ACCOUNT_UNREADABLE',
    `The balance in ${ata} is delegated to the rollup, but cannot be read there: ${reason}`,
    { ata, mint },
  );
}

/**
 * Refuses a caller who may not read a hidden account.
 *
 * @throws {ServiceError} MISSING_AUTH_TOKEN; READER_NOT_ALLOWED if the rollup reports other readers.
 */
async function refuseHidden(
  { auth }: Rollup,
  token: string | undefined,
  known: { readonly ata: Address; readonly mint: Address },
): Promise<void> {
  if (auth === null) return;
  if (token === undefined) throw tokenNeeded('the rollup shows this balance to its owner alone', known);
  if ((await readersOf(auth, known.ata, token)) === null) return;
  throw new ServiceError(
    'READER_NOT_ALLOWED',
    `The rollup shows the balance in ${known.ata} to its owner and those whom its permission account names alone, and the bearer token is of none of them: log in as one (GET /v1/spl/challenge, POST /v1/spl/login)`,
    known,
  );
}

/** Who may read an account; null if the rollup lists nobody, or has no login service to ask. */
async function readersOf(
  auth: RollupAuth,
  account: Address,
  token: string,
): Promise<readonly Address[] | null> {
  try {
    return await auth.authorizedUsers(account, token);
  } catch (error) {
    if (isServiceError(error) && error.code === 'AUTH_UNAVAILABLE') return null;
    throw error;
  }
}
