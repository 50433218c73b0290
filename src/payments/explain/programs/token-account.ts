import { NATIVE_MINT } from '../../../programs/addresses.ts';
import { TOKEN_TABLE } from '../../../programs/token/table.ts';
import { formOf, type Form, type Meaning } from '../form.ts';
import { closingTokenEffects, unknownLamports } from './closing.ts';
import { syncEffects } from './syncing.ts';

/** The owner is an account in some forms and a field in others. */
const initialization: Meaning = {
  action: 'initializeAccount',
  say: (r) =>
    `${r.name('account')} becomes a token account of ${r.address('owner') ?? r.name('owner')} for mint ${r.name('mint')}`,
  effects: (r, earlier) => syncEffects(r, 'account', earlier),
};

/** Instructions on token accounts themselves. */
export const tokenAccountForms: readonly Form[] = [
  formOf(TOKEN_TABLE.initializeAccount, initialization),
  formOf(TOKEN_TABLE.initializeAccount2, initialization),
  formOf(TOKEN_TABLE.initializeAccount3, initialization),
  formOf(TOKEN_TABLE.closeAccount, {
    say: (r) =>
      `${r.holder('account')} is closed and all its lamports${unknownLamports(r, 'account')}${r.mintOf('account') === NATIVE_MINT ? ', wrapped SOL included,' : ''} go to ${r.name('destination')}`,
    effects: closingTokenEffects,
    danger: (r) =>
      r.account('destination') === r.account('authority')
        ? null
        : `The lamports of the account, wrapped SOL included, would go to ${r.name('destination')} and not to its owner.`,
  }),
  formOf(TOKEN_TABLE.syncNative, {
    say: (r) => `The wrapped SOL in ${r.holder('account')} is set to what its lamports are worth`,
    effects: (r, earlier) => syncEffects(r, 'account', earlier),
  }),
];
