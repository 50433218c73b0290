import { type AccountRules, decodeAccountRules } from '../../../programs/token/account-rules.ts';
import { decodeTokenAccount, isTokenProgram, type TokenAccount } from '../../../programs/token/state.ts';
import type { Address } from '../../../solana/address.ts';
import type { CallAccount, Context } from '../call.ts';
import type { TokenEffect } from '../effects.ts';
import type { ExplainedCall } from '../explain-calls.ts';
import { caution, danger, type Finding, note, ofInstruction } from '../finding.ts';

/**
 * Rights that the transaction requests but no instruction uses, so their purpose is unknown. The first
 * account pays the fee, and an account without rights is harmless.
 */
export function unusedFindings(accounts: readonly CallAccount[], calls: readonly ExplainedCall[]): Finding[] {
  const used = new Set(calls.flatMap(({ call }) => call.accounts));
  const programs = new Set(calls.map(({ call }) => call.program));
  return accounts.slice(1).flatMap((account) => {
    const { address, entry, signer, writable } = account;
    const isProgram = address !== null && entry === null && programs.has(address);
    if (used.has(account) || isProgram || !(signer || writable)) return [];
    const name = address ?? `entry ${entry?.index} of lookup table ${entry?.table}`;
    const right = signer ? 'has to sign' : 'may be changed';
    const message = `No instruction uses ${name}, which ${right}. The transaction does not show why.`;
    return [caution('UNUSED_ACCOUNT', message)];
  });
}

/** A transaction without instructions still costs a fee and yields a signature. */
export const emptyFindings = (calls: readonly ExplainedCall[]): Finding[] =>
  calls.length > 0 ? [] : [caution('NO_INSTRUCTIONS', 'It has no instructions, and costs a fee.')];

/**
 * A ledger rejects a transaction that lists an account twice (Agave `AccountLoadedTwice`), and no builder
 * creates one.
 */
export function repeatFindings(accounts: readonly CallAccount[]): Finding[] {
  const seen = new Set<Address>();
  const repeated = new Set<Address>();
  for (const { address } of accounts) {
    if (address === null) continue;
    if (seen.has(address)) repeated.add(address);
    seen.add(address);
  }
  return [...repeated].map((address) =>
    danger(
      'ACCOUNT_REPEATED',
      `It names ${address} twice: every ledger rejects that, and no builder does it by mistake.`,
    ),
  );
}

/** Findings about the token accounts that pay and receive. */
export function tokenAccountFindings(calls: readonly ExplainedCall[], context: Context): Finding[] {
  return calls.flatMap(({ reading, effects }, index) =>
    effects.flatMap((effect) => {
      if (effect.kind !== 'tokens' || effect.location !== context.location) return [];
      const account = tokenAccountAt(context.accounts, effect.account);
      if (account === null) return [];
      return useFindings(effect, account, context).map((finding) =>
        ofInstruction(finding, index, reading?.action),
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

/** Findings about others who can take arriving tokens, and about tokens that cannot arrive. */
function useFindings(
  { account, change, mint }: TokenEffect,
  { owner, state, delegate, delegatedAmount, closeAuthority, takesConfidentialOnly }: UsedAccount,
  { book }: Context,
): Finding[] {
  const findings: Finding[] = [];
  if (change === null || change > 0n) {
    const paid = change === null ? 'An unknown amount is paid' : `${book.tokens(change, mint)} are paid`;
    const into = `${paid} into token account ${account} of ${owner}`;
    if (delegate !== null && delegate !== owner && delegatedAmount > 0n) {
      const message = `${into}, and ${delegate} can take up to ${book.tokens(delegatedAmount, mint)} out of it.`;
      findings.push(caution('TOKEN_ACCOUNT_DELEGATED', message));
    }
    if (closeAuthority !== null && closeAuthority !== owner) {
      const message = `${into}, and ${closeAuthority} can close it in place of its owner.`;
      findings.push(caution('TOKEN_ACCOUNT_CLOSE_AUTHORITY', message));
    }
    if (takesConfidentialOnly) {
      const message = `${into}, which accepts only confidential transfers.`;
      findings.push(note('TOKEN_ACCOUNT_CONFIDENTIAL_ONLY', message));
    }
  }
  if (state === 'frozen') {
    const message = `Token account ${account} of ${owner} is frozen: nothing enters or leaves it.`;
    findings.push(note('TOKEN_ACCOUNT_FROZEN', message));
  }
  return findings;
}
