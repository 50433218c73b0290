import { isTokenProgram } from '../../../programs/token/token-program.ts';
import { decodeAccountRules, type AccountRules } from '../../../programs/token/account-rules.ts';
import { decodeTokenAccount, type TokenAccount } from '../../../programs/token/state.ts';
import type { Address } from '../../../solana/address.ts';
import type { Context } from '../context.ts';
import type { TokenEffect } from '../effects.ts';
import type { ExplainedCall } from '../explain-calls.ts';
import type { Finding, FormFinding } from '../finding.ts';

/** What the chain says about the token accounts that pay and receive. */
export function tokenAccountFindings(calls: readonly ExplainedCall[], context: Context): Finding[] {
  return calls.flatMap(({ matched, effects }, index) =>
    effects.flatMap((effect) => {
      if (effect.kind !== 'tokens' || effect.location !== context.location) return [];
      const account = tokenAccountAt(context.accounts, effect.account);
      if (account === null) return [];
      return [...arrivalFindings(effect, account, context), ...frozenFindings(effect, account)].map(
        ({ level, code, message }) => ({
          level,
          code,
          message: `Instruction ${index} (${matched?.form.action}): ${message}`,
          instruction: index,
        }),
      );
    }),
  );
}

type UsedAccount = TokenAccount & Pick<AccountRules, 'takesConfidentialOnly'>;

function tokenAccountAt(accounts: Context['accounts'], address: Address | null): UsedAccount | null {
  const account = address === null ? null : accounts.get(address);
  if (!account || !isTokenProgram(account.owner)) return null;
  const decoded = decodeTokenAccount(account.data);
  return decoded && { ...decoded, ...decodeAccountRules(account.data) };
}

/** Who besides the owner can take the tokens that arrive, and whether they can arrive. */
function arrivalFindings(
  { account, change, mint }: TokenEffect,
  { owner, delegate, delegatedAmount, closeAuthority, takesConfidentialOnly }: UsedAccount,
  { book }: Context,
): FormFinding[] {
  if (change !== null && change <= 0n) return [];
  const paid = change === null ? 'What is paid' : `${book.tokens(change, mint)} are paid`;
  const into = `${paid} into token account ${account} of ${owner}`;
  const findings: FormFinding[] = [];
  if (delegate !== null && delegate !== owner && delegatedAmount > 0n) {
    const message = `${into}, out of which ${delegate} may take up to ${book.tokens(delegatedAmount, mint)}.`;
    findings.push({ level: 'caution', code: 'TOKEN_ACCOUNT_DELEGATED', message });
  }
  if (closeAuthority !== null && closeAuthority !== owner) {
    const message = `${into}, which ${closeAuthority} may close in place of its owner.`;
    findings.push({ level: 'caution', code: 'TOKEN_ACCOUNT_CLOSE_AUTHORITY', message });
  }
  if (takesConfidentialOnly) {
    const message = `${into}, which takes confidential transfers only.`;
    findings.push({ level: 'note', code: 'TOKEN_ACCOUNT_CONFIDENTIAL_ONLY', message });
  }
  return findings;
}

const frozenFindings = ({ account }: TokenEffect, { owner, state }: TokenAccount): FormFinding[] =>
  state === 'frozen'
    ? [
        {
          level: 'note',
          code: 'TOKEN_ACCOUNT_FROZEN',
          message: `Token account ${account} of ${owner} is frozen: nothing goes out of it or into it.`,
        },
      ]
    : [];
