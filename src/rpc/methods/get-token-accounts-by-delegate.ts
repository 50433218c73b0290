import { defineTokenAccountsMethod } from '../accounts/token-accounts-method.ts';

/**
 * `getTokenAccountsByDelegate([delegate, { mint } or { programId }, config?])`: the token accounts a delegate
 * may spend from.
 */
export const getTokenAccountsByDelegate = defineTokenAccountsMethod('getTokenAccountsByDelegate', 'delegate');
