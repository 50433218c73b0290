import { NATIVE_MINT } from '../../../programs/addresses.ts';
import type { Form } from '../form.ts';
import type { Reading } from '../reading.ts';
import { closingTokenEffects, unknownLamports } from './closing.ts';

/** With the owner among the fields (`InitializeAccount2` and `InitializeAccount3`). */
const initialization = {
  action: 'initializeAccount',
  fields: [['owner', 'address']],
  say: (r: Reading): string =>
    `${r.name('account')} becomes a token account of ${r.address('owner')} for mint ${r.name('mint')}`,
} as const;

/** Instructions on token accounts themselves. */
export const tokenAccountForms: readonly Form[] = [
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
    tag: 9,
    action: 'closeAccount',
    accounts: ['account', 'destination', 'authority'],
    more: 'cosigner',
    fields: [],
    say: (r) =>
      `${r.holder('account')} is closed and all its lamports${unknownLamports(r, 'account')}${r.mintOf('account') === NATIVE_MINT ? ', wrapped SOL included,' : ''} go to ${r.name('destination')}`,
    effects: closingTokenEffects,
    danger: (r) =>
      r.account('destination') === r.account('authority')
        ? null
        : `The lamports of the account, wrapped SOL included, would go to ${r.name('destination')} and not to its owner.`,
  },
  {
    tag: 17,
    action: 'syncNative',
    accounts: ['account', 'rentSysvar?'],
    fields: [],
    say: (r) => `The wrapped SOL in ${r.holder('account')} is set to what its lamports are worth`,
  },
];
