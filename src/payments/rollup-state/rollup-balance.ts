import type { Chain, Rollup, RollupAuth } from '../../chain/chain.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import {
  type ExpectedTokenAccount,
  forReading,
  readTokenAccount,
  type TokenAccountState,
} from '../accounts/token-account.ts';
import type { Warning } from '../building/built-transaction.ts';
import { describeTokens } from '../mints/common-mints.ts';

/** Name suffix of clusters whose rollup answers private reads only to the owner (hosted API). */
const PRIVATE_CLUSTER = /-private$/;

/** @throws {ServiceError} MISSING_AUTH_TOKEN if the cluster requires a token and the caller has none. */
export function requireToken(chain: Chain, token: string | undefined): void {
  if (token !== undefined || !PRIVATE_CLUSTER.test(chain.cluster)) return;
  const { cluster: name } = chain;
  throw tokenNeeded(`cluster ${name} shows balances only to their owners`, { cluster: name });
}

/** Builds the error for a private balance that requires a token. `why` is the reason it is hidden. */
const tokenNeeded = (why: string, known: Readonly<Record<string, string>>): ServiceError =>
  new ServiceError(
    'MISSING_AUTH_TOKEN',
    `authToken is required for private balance: ${why}; log in (GET /v1/spl/challenge, POST /v1/spl/login) and send the token as "Rollup-Authorization: Bearer <token>"`,
    known,
  );

/**
 * Reads the token account of a delegated eATA as the rollup shows it.
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
  if (account === null) await rejectHidden(rollup, token, { ata, mint });
  const reason =
    account === null
      ? 'the rollup shows no such account, and may not have cloned it yet; try again'
      : `the account there is not a token account of mint ${mint}`;
  throw new ServiceError(
    'ACCOUNT_UNREADABLE',
    `The balance in ${ata} is delegated to the rollup, but cannot be read there: ${reason}`,
    { ata, mint },
  );
}

/** @throws {ServiceError} MISSING_AUTH_TOKEN; READER_NOT_ALLOWED if the rollup reports other readers. */
async function rejectHidden(
  { auth }: Rollup,
  token: string | undefined,
  known: { readonly ata: Address; readonly mint: Address },
): Promise<void> {
  if (auth === null) return;
  if (token === undefined) throw tokenNeeded('the rollup shows this balance only to its owner', known);
  if ((await readersOf(auth, known.ata, token)) === null) return;
  throw new ServiceError(
    'READER_NOT_ALLOWED',
    `The rollup shows the balance in ${known.ata} only to its owner and to members of its permission account, and the bearer token belongs to none of them: log in as one (GET /v1/spl/challenge, POST /v1/spl/login)`,
    known,
  );
}

/** Returns the readers of an account; null if the rollup lists none, or has no login service. */
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

interface UnreadAccount {
  readonly unread: string;
  /** Whether the rollup hides the account from this caller. */
  readonly isHidden: boolean;
  /** The holder, if it is not the expected one. */
  readonly holder?: Address;
}

/**
 * Reads the token account of a delegated eATA on the rollup, or explains why the account cannot be read. Base
 * does not have its balance.
 *
 * @param validator the validator that has the eATA; null accepts any validator.
 * @param token the caller's bearer token; a private account is shown only to its readers.
 */
export async function readRollupAccount(
  { rollup }: Pick<Chain, 'rollup'>,
  expected: ExpectedTokenAccount,
  validator: Address | null,
  token: string | undefined,
): Promise<TokenAccountState | UnreadAccount> {
  if (rollup === null) return { unread: 'no rollup is configured', isHidden: false };
  try {
    const [identity, [shown = null]] = await Promise.all([
      validator === null ? null : rollup.identity(),
      rollup.getAccounts([expected.ata], token),
    ]);
    if (identity !== validator) {
      return { unread: `the rollup is not run by validator ${validator}`, isHidden: false };
    }
    return await readShownBalance(shown, rollup, expected, token);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const unread = REASONS.get(error.code) ?? `it could not be read (${error.code})`;
    const isHidden = error.code === 'MISSING_AUTH_TOKEN' || error.code === 'READER_NOT_ALLOWED';
    return isServiceError(error, 'TOKEN_ACCOUNT_OWNER_MISMATCH')
      ? { unread, isHidden, holder: error.context['holder'] as Address }
      : { unread, isHidden };
  }
}

/** Reasons for a hidden balance, by error code. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['MISSING_AUTH_TOKEN', "the rollup shows it only to its owner; pass the owner's bearer token"],
  ['READER_NOT_ALLOWED', "the bearer token is not the owner's"],
  ['AUTH_REFUSED', 'the rollup does not accept the bearer token; log in again'],
]);

interface RollupPayment {
  readonly chain: Chain;
  /** The payment with its article, for example "the withdrawal". */
  readonly what: string;
  readonly source: ExpectedTokenAccount;
  readonly validator: Address | null;
  /** Tokens that the payment takes, in base units. */
  readonly taken: bigint;
  readonly decimals: number;
}

/**
 * Checks that the balance on the rollup covers a payment. Returns a warning if it cannot be read.
 *
 * @throws {ServiceError} EATA_BALANCE_TOO_LOW.
 */
export async function requireRollupBalance(
  { chain, what, source, validator, taken, decimals }: RollupPayment,
  token: string | undefined,
): Promise<Warning[]> {
  const account = await readRollupAccount(chain, source, validator, token);
  const { ata, mint } = source;
  if ('unread' in account) {
    const message = `The balance of ${ata} on the rollup was not checked: ${account.unread}. If it is less than ${what} needs, nothing arrives.`;
    return [{ code: 'BALANCE_UNREAD', message }];
  }
  const { amount: held } = account;
  if (held >= taken) return [];
  throw new ServiceError(
    'EATA_BALANCE_TOO_LOW',
    `The rollup holds ${describeTokens(held, { mint, decimals })} in ${ata}, but ${what} needs ${describeTokens(taken, { mint, decimals })}, so nothing would arrive: ${held === 0n ? 'deposit first' : `pass at most ${held} base units, or deposit first`}`,
    { field: 'amount', ata, held: held.toString(), amount: taken.toString() },
  );
}
