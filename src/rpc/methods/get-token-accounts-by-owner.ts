import { defineTokenAccountsMethod } from '../accounts/token-accounts-method.ts';

/** `getTokenAccountsByOwner([owner, { mint } or { programId }, config?])`: the token accounts of a wallet. */
export const getTokenAccountsByOwner = defineTokenAccountsMethod('getTokenAccountsByOwner', 'owner');
