import { CLOCK_SYSVAR } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountEncoding, AccountView, DataSlice } from './account-encoding.ts';

type LookUp = AccountView['lookUp'];

/**
 * How to show the accounts of one answer, which may take many turns of the event loop. All accounts use the
 * Clock as of now. All accounts of one mint use the mint as of the first of them.
 */
export function accountsView(
  config:
    | { readonly encoding: AccountEncoding | undefined; readonly dataSlice?: DataSlice | undefined }
    | undefined,
  encodingByDefault: AccountEncoding,
  lookUp: LookUp,
): AccountView {
  const encoding = config?.encoding ?? encodingByDefault;
  // Only the parsers look up other accounts.
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
