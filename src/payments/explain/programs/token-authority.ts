import type { FindingCode } from '../finding-codes.ts';
import type { FormFinding } from '../finding.ts';
import type { Form } from '../form.ts';
import type { Reading } from '../reading.ts';
import { amountField, checkedFields } from './token-fields.ts';

const mintOfSource = (r: Reading) => r.account('mint') ?? r.mintOf('source');

const approval = {
  action: 'approve',
  more: 'cosigner',
  say: (r: Reading): string =>
    r.amount('amount') === 0n
      ? `${r.name('delegate')} may take nothing from ${r.holder('source')}, and nobody else but its owner any more`
      : `${r.name('delegate')} may from now on take up to ${r.tokens('amount', mintOfSource(r))} from ${r.holder('source')}`,
  // There is one delegate at a time: to approve nothing is to revoke.
  danger: (r: Reading): string | null =>
    r.amount('amount') === 0n
      ? null
      : `${r.name('delegate')} could take the approved tokens at any later time, without asking again.`,
} as const;

/** What `SetAuthority` can hand over (SPL Token `AuthorityType`). */
const AUTHORITIES = ['minting', 'freezing', 'the ownership of the account', 'closing the account'];

const freezing = (tag: number, action: string, ending: string, code: FindingCode): Form => ({
  tag,
  action,
  accounts: ['account', 'mint', 'authority'],
  more: 'cosigner',
  fields: [],
  say: (r) => `${r.holder('account')} is ${ending}`,
  findings: (r): FormFinding[] => [
    {
      level: 'caution',
      code,
      message: `${r.name('authority')} decides over mint ${r.name('mint')}: ${r.holder('account')} is ${ending}.`,
    },
  ],
});

/** Instructions that say who may do what with token accounts and mints. */
export const authorityForms: readonly Form[] = [
  { tag: 4, ...approval, accounts: ['source', 'delegate', 'authority'], fields: [amountField] },
  { tag: 13, ...approval, accounts: ['source', 'mint', 'delegate', 'authority'], fields: checkedFields },
  {
    tag: 5,
    action: 'revoke',
    accounts: ['source', 'authority'],
    more: 'cosigner',
    fields: [],
    say: (r) => `Nobody but its owner may take tokens from ${r.holder('source')} any more`,
  },
  {
    tag: 6,
    action: 'setAuthority',
    accounts: ['account', 'authority'],
    more: 'cosigner',
    fields: [
      ['authorityType', 'u8'],
      ['newAuthority', 'optionalAddress'],
    ],
    say: (r) =>
      `${AUTHORITIES[r.number('authorityType')] ?? `authority ${r.number('authorityType')}`} of ${r.name('account')} goes to ${r.address('newAuthority') ?? 'nobody, for ever'}`,
    danger: (r) =>
      `${r.address('newAuthority') ?? 'Nobody'} would then have ${AUTHORITIES[r.number('authorityType')] ?? 'an authority'} over ${r.name('account')}.`,
  },
  freezing(10, 'freezeAccount', 'frozen', 'ACCOUNT_FROZEN'),
  freezing(11, 'thawAccount', 'thawed', 'ACCOUNT_THAWED'),
];
