import type { Chain } from '../../chain/chain.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import type { ExpectedTokenAccount, TokenAccountState } from '../accounts/token-account.ts';
import type { Warning } from '../building/built-transaction.ts';
import { describeTokens } from '../mints/common-mints.ts';
import { readShownBalance } from '../private-balance/shown-balance.ts';

/** A token account that was not read. */
interface UnreadAccount {
  readonly unread: string;
  /** Whether the rollup shows it to others than this caller. */
  readonly isHidden: boolean;
  /** Its holder, if it is not the expected one. */
  readonly holder?: Address;
}

/**
 * Reads the token account that stands for a delegated eATA on the rollup, or says why it cannot be read. Base
 * does not know its balance.
 *
 * @param validator the validator that has the eATA; null accepts the cluster's rollup whoever runs it.
 * @param token the caller's bearer token; a private account is shown to its readers only.
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
      return { unread: `the rollup is not the one of validator ${validator}`, isHidden: false };
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

/** Why the rollup does not show a balance, by the code of its refusal. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['MISSING_AUTH_TOKEN', "the rollup shows it to its owner only; pass the owner's bearer token"],
  ['READER_NOT_ALLOWED', "the bearer token is not the owner's"],
  ['AUTH_REFUSED', 'the rollup does not accept the bearer token; log in again'],
]);

/** A payment out of the rollup balance of its owner. */
interface RollupPayment {
  readonly chain: Chain;
  /** The payment with its article, for example "the withdrawal". */
  readonly what: string;
  readonly source: ExpectedTokenAccount;
  readonly validator: Address | null;
  /** Base units. */
  readonly taken: bigint;
  readonly decimals: number;
}

/**
 * Requires the balance that the rollup shows to cover a payment. Returns a warning if it cannot be read.
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
    const message = `The balance of ${ata} on the rollup was not checked: ${account.unread}. If it is less than ${what} takes, nothing arrives.`;
    return [{ code: 'BALANCE_UNREAD', message }];
  }
  const { amount: held } = account;
  if (held >= taken) return [];
  throw new ServiceError(
    'EATA_BALANCE_TOO_LOW',
    `The rollup holds ${describeTokens(held, { mint, decimals })} in ${ata} and ${what} takes ${describeTokens(taken, { mint, decimals })}, so nothing would arrive: ${held === 0n ? 'deposit first' : `ask for at most ${held} base units, or deposit first`}`,
    { field: 'amount', ata, held: held.toString(), amount: taken.toString() },
  );
}
