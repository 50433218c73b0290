import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { CLOCK_SYSVAR } from '../../programs/sysvars.ts';
import type { AccountEncoding, AccountView, DataSlice } from './account-encoding.ts';

type LookUp = AccountView['lookUp'];

/**
 * How the accounts of one answer are to be shown, which may take many turns. All are shown by the same Clock,
 * that of now, and all of a mint by the same mint, that of when the first of them is shown.
 */
export function accountsView(
  config:
    | { readonly encoding: AccountEncoding | undefined; readonly dataSlice?: DataSlice | undefined }
    | undefined,
  encodingByDefault: AccountEncoding,
  lookUp: LookUp,
): AccountView {
  const encoding = config?.encoding ?? encodingByDefault;
  // Only parsers look anything up.
  const remembered = encoding === 'jsonParsed' ? rememberLookUps(lookUp) : lookUp;
  return { encoding, slice: config?.dataSlice, lookUp: remembered };
}

function rememberLookUps(lookUp: LookUp): LookUp {
  const seen = new Map<Address, Account | null>([[CLOCK_SYSVAR, lookUp(CLOCK_SYSVAR)]]);
  return (address) => {
    let account = seen.get(address);
    if (account === undefined) seen.set(address, (account = lookUp(address)));
    return account;
  };
}
