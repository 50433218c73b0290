import { isServiceError } from '../../errors/service-error.ts';
import type { DepositAccounts } from '../accounts/deposit-accounts.ts';
import { expectedOwnerAta } from '../accounts/deposit-accounts.ts';
import type { Draft } from '../building/draft.ts';
import { SHUTTLE_FEE_LAMPORTS } from '../fees/shuttle-costs.ts';
import { formatBaseUnits } from '../mints/base-units.ts';
import { describeTokens } from '../mints/common-mints.ts';
import { readShownBalance } from '../private-balance/shown-balance.ts';
import type { EataStatus } from '../rollup-state/eata-status.ts';
import type { WithdrawRequest } from './request.ts';

/** What there is to say of the balance that a withdrawal by shuttle takes from. */
type BalanceRemarks = Pick<Draft, 'warnings' | 'notes'>;

const NOTHING: BalanceRemarks = { warnings: [], notes: [] };

/**
 * Holds the amount of a withdrawal against what the rollup has of the owner's, as far as it shows that to the
 * holder of `token`: base does not know it. A warning where it has less; a note where it could not be read,
 * for whatever reason: the withdrawal is built all the same.
 */
export async function judgeRollupBalance(
  { chain, input, facts, validator }: WithdrawRequest,
  { accounts, status }: { readonly accounts: DepositAccounts; readonly status: EataStatus },
  token: string | undefined,
): Promise<BalanceRemarks> {
  const { rollup } = chain;
  if (status.at !== 'rollup') return NOTHING;
  if (rollup === null) return unchecked('no rollup is configured');
  try {
    if ((await rollup.identity()) !== validator) return unchecked(`the rollup is not that of ${validator}`);
    const [shown = null] = await rollup.getAccounts([accounts.ownerAta], token);
    const held = await readShownBalance(shown, rollup, expectedOwnerAta(accounts), token);
    if (held >= input.amount) return NOTHING;
    const message = `The rollup has ${describeTokens(held, facts)} of the owner's and the withdrawal takes ${describeTokens(input.amount, facts)}: withdraw less, or nothing arrives and the fee of ${formatBaseUnits(SHUTTLE_FEE_LAMPORTS, 9)} SOL is lost.`;
    return { warnings: [{ code: 'INSUFFICIENT_TOKENS', message }], notes: [] };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return unchecked(REASONS.get(error.code) ?? `it could not be read (${error.code})`);
  }
}

/** Why a balance was not shown, by the code of the refusal. */
const REASONS: ReadonlyMap<string, string> = new Map([
  [
    'MISSING_AUTH_TOKEN',
    "the rollup shows it to its owner alone; pass the owner's bearer token to have it checked",
  ],
  ['READER_NOT_ALLOWED', "the bearer token is none of the owner's"],
  ['AUTH_REFUSED', 'the rollup does not take the bearer token, or not any more'],
]);

const unchecked = (why: string): BalanceRemarks => ({
  warnings: [],
  notes: [`Whether the rollup has as much of the owner's was not checked: ${why}.`],
});
