import { TOKEN_TABLE } from '../../../programs/token/table.ts';
import type { FindingCode } from '../finding-codes.ts';
import { formOf, type Form, type Meaning } from '../form.ts';
import type { Reading } from '../reading.ts';

const mintOfSource = (r: Reading) => r.account('mint') ?? r.mintOf('source');

const approval: Meaning = {
  action: 'approve',
  say: (r) =>
    r.amount('amount') === 0n
      ? `${r.name('delegate')} may take nothing from ${r.holder('source')}, and nobody else but its owner any more`
      : `${r.name('delegate')} may from now on take up to ${r.tokens('amount', mintOfSource(r))} from ${r.holder('source')}`,
  // An account has one delegate at a time, so approving zero is a revocation.
  danger: (r) =>
    r.amount('amount') === 0n
      ? null
      : `${r.name('delegate')} could take the approved tokens at any later time, without asking again.`,
};

/** What `SetAuthority` can transfer (SPL Token `AuthorityType`). */
const AUTHORITIES = ['minting', 'freezing', 'the ownership of the account', 'closing the account'];

const freezing = (ending: string, code: FindingCode): Meaning => ({
  say: (r) => `${r.holder('account')} is ${ending}`,
  findings: (r) => [
    {
      level: 'caution',
      code,
      message: `${r.name('authority')} decides over mint ${r.name('mint')}: ${r.holder('account')} is ${ending}.`,
    },
  ],
});

/** Instructions that set rights over token accounts and mints. */
export const authorityForms: readonly Form[] = [
  formOf(TOKEN_TABLE.approve, approval),
  formOf(TOKEN_TABLE.approveChecked, approval),
  formOf(TOKEN_TABLE.revoke, {
    say: (r) => `Nobody but its owner may take tokens from ${r.holder('source')} any more`,
  }),
  formOf(TOKEN_TABLE.setAuthority, {
    say: (r) =>
      `${AUTHORITIES[r.number('authorityType')] ?? `authority ${r.number('authorityType')}`} of ${r.name('account')} goes to ${r.address('newAuthority') ?? 'nobody, for ever'}`,
    danger: (r) =>
      `${r.address('newAuthority') ?? 'Nobody'} would then have ${AUTHORITIES[r.number('authorityType')] ?? 'an authority'} over ${r.name('account')}.`,
  }),
  formOf(TOKEN_TABLE.freezeAccount, freezing('frozen', 'ACCOUNT_FROZEN')),
  formOf(TOKEN_TABLE.thawAccount, freezing('thawed', 'ACCOUNT_THAWED')),
];
