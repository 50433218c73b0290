import { NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import type { Effect } from '../effects.ts';
import type { Form, KnownProgram } from '../form.ts';
import { tokenEffect, type Reading } from '../reading.ts';

/** Mint of a transfer that names none, from either of its token accounts. */
const mintOfTransfer = (r: Reading) => r.account('mint') ?? r.mintOf('source') ?? r.mintOf('destination');

const sayTransfer = (r: Reading): string =>
  `${r.tokens('amount', mintOfTransfer(r))} go from ${r.holder('source')} to ${r.holder('destination')}, by order of ${r.name('authority')}`;

const transferEffects = (r: Reading): Effect[] => {
  const mint = mintOfTransfer(r);
  return [
    tokenEffect(r, 'source', -r.amount('amount'), { mint }),
    tokenEffect(r, 'destination', r.amount('amount') - (r.has('fee') ? r.amount('fee') : 0n), { mint }),
  ];
};

const mintOfSource = (r: Reading) => r.account('mint') ?? r.mintOf('source');

const approval = {
  say: (r: Reading): string =>
    `${r.name('delegate')} may from now on take up to ${r.tokens('amount', mintOfSource(r))} from ${r.holder('source')}`,
  danger: (r: Reading): string =>
    `${r.name('delegate')} could take the approved tokens at any later time, without asking again.`,
};

const minting = {
  say: (r: Reading): string =>
    `${r.tokens('amount', r.account('mint'))} are newly made in ${r.holder('destination')}, by order of ${r.name('authority')}`,
  effects: (r: Reading): Effect[] => [
    tokenEffect(r, 'destination', r.amount('amount'), { mint: r.account('mint') }),
  ],
};

const burning = {
  say: (r: Reading): string =>
    `${r.tokens('amount', r.account('mint'))} in ${r.holder('source')} are destroyed`,
  effects: (r: Reading): Effect[] => [
    tokenEffect(r, 'source', -r.amount('amount'), { mint: r.account('mint') }),
  ],
  danger: (): string => 'Burnt tokens are gone for good.',
};

/** What `SetAuthority` can hand over (SPL Token `AuthorityType`). */
const AUTHORITIES = ['minting', 'freezing', 'the ownership of the account', 'closing the account'];

const authority: Form = {
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
};

const close: Form = {
  tag: 9,
  action: 'closeAccount',
  accounts: ['account', 'destination', 'authority'],
  more: 'cosigner',
  fields: [],
  say: (r) =>
    `${r.holder('account')} is closed and all its lamports${r.mintOf('account') === NATIVE_MINT ? ', wrapped SOL included,' : ''} go to ${r.name('destination')}`,
  danger: (r) =>
    r.account('destination') === r.account('authority')
      ? null
      : `The lamports of the account, wrapped SOL included, would go to ${r.name('destination')} and not to its owner.`,
};

/** With the owner among the fields (`InitializeAccount2` and `InitializeAccount3`). */
const initialization = {
  action: 'initializeAccount',
  fields: [['owner', 'address']],
  say: (r: Reading): string =>
    `${r.name('account')} becomes a token account of ${r.address('owner')} for mint ${r.name('mint')}`,
} as const;

const amountField = ['amount', 'u64'] as const;
const checkedFields = [amountField, ['decimals', 'u8']] as const;

/** Instructions that SPL Token and Token-2022 share, by the byte of `TokenInstruction`. */
const shared: readonly Form[] = [
  {
    tag: 1,
    action: 'initializeAccount',
    accounts: ['account', 'mint', 'owner', 'rentSysvar'],
    fields: [],
    say: (r) =>
      `${r.name('account')} becomes a token account of ${r.name('owner')} for mint ${r.name('mint')}`,
  },
  { tag: 16, ...initialization, accounts: ['account', 'mint', 'rentSysvar'] },
  { tag: 18, ...initialization, accounts: ['account', 'mint'] },
  {
    tag: 3,
    action: 'transferTokens',
    accounts: ['source', 'destination', 'authority'],
    more: 'cosigner',
    fields: [amountField],
    say: sayTransfer,
    effects: transferEffects,
  },
  {
    tag: 12,
    action: 'transferTokens',
    accounts: ['source', 'mint', 'destination', 'authority'],
    more: 'cosigner',
    fields: checkedFields,
    say: sayTransfer,
    effects: transferEffects,
  },
  {
    tag: 4,
    action: 'approve',
    accounts: ['source', 'delegate', 'authority'],
    more: 'cosigner',
    fields: [amountField],
    ...approval,
  },
  {
    tag: 13,
    action: 'approve',
    accounts: ['source', 'mint', 'delegate', 'authority'],
    more: 'cosigner',
    fields: checkedFields,
    ...approval,
  },
  {
    tag: 5,
    action: 'revoke',
    accounts: ['source', 'authority'],
    more: 'cosigner',
    fields: [],
    say: (r) => `Nobody but its owner may take tokens from ${r.holder('source')} any more`,
  },
  authority,
  {
    tag: 7,
    action: 'mintTokens',
    accounts: ['mint', 'destination', 'authority'],
    more: 'cosigner',
    fields: [amountField],
    ...minting,
  },
  {
    tag: 14,
    action: 'mintTokens',
    accounts: ['mint', 'destination', 'authority'],
    more: 'cosigner',
    fields: checkedFields,
    ...minting,
  },
  {
    tag: 8,
    action: 'burnTokens',
    accounts: ['source', 'mint', 'authority'],
    more: 'cosigner',
    fields: [amountField],
    ...burning,
  },
  {
    tag: 15,
    action: 'burnTokens',
    accounts: ['source', 'mint', 'authority'],
    more: 'cosigner',
    fields: checkedFields,
    ...burning,
  },
  close,
  {
    tag: 10,
    action: 'freezeAccount',
    accounts: ['account', 'mint', 'authority'],
    more: 'cosigner',
    fields: [],
    say: (r) => `${r.holder('account')} is frozen`,
  },
  {
    tag: 11,
    action: 'thawAccount',
    accounts: ['account', 'mint', 'authority'],
    more: 'cosigner',
    fields: [],
    say: (r) => `${r.holder('account')} is thawed`,
  },
  {
    tag: 17,
    action: 'syncNative',
    accounts: ['account', 'rentSysvar?'],
    fields: [],
    say: (r) => `The wrapped SOL in ${r.holder('account')} is set to what its lamports are worth`,
  },
];

/** `TransferCheckedWithFee` (26, 1) of Token-2022's transfer fee extension. */
const transferWithFee: Form = {
  tag: 26,
  action: 'transferTokens',
  accounts: ['source', 'mint', 'destination', 'authority'],
  more: 'cosigner',
  fields: [['extensionTag', { const: 1 }], amountField, ['decimals', 'u8'], ['fee', 'u64']],
  say: (r) => `${sayTransfer(r)}; ${r.tokens('fee', r.account('mint'))} of that are withheld as fee`,
  effects: transferEffects,
};

export const splTokenProgram: KnownProgram = {
  address: TOKEN_PROGRAM,
  name: 'SPL Token',
  tagBytes: 1,
  forms: shared,
};

export const token2022Program: KnownProgram = {
  address: TOKEN_2022_PROGRAM,
  name: 'Token-2022',
  tagBytes: 1,
  forms: [...shared, transferWithFee],
};
