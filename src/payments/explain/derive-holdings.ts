import type { Address } from '../../solana/address.ts';
import { COMMON_MINT_ADDRESSES } from './address-book.ts';
import type { Call } from './call.ts';
import type { Context } from './context.ts';
import { roleAt, type MatchedForm } from './form.ts';

/** Names of accounts and fields that own token accounts or eATAs. */
const OWNER_ROLES = new Set([
  'owner',
  'destinationOwner',
  'payer',
  'authority',
  'vault',
  'queue',
  'shuttle',
  'source',
  'destination',
]);

/** Adds to the book the token accounts and eATAs that the owners in the calls and in the context can have. */
export function deriveHoldings(
  known: readonly { readonly call: Call; readonly matched: MatchedForm | null }[],
  { book, owners, mints }: Context,
): void {
  const named = { owners: new Set(owners), mints: new Set(mints) };
  for (const { call, matched } of known) {
    if (matched === null) continue;
    for (const [index, { address, signer }] of call.accounts.entries()) {
      const role = roleAt(matched.form, index);
      if (address === null) continue;
      if (role === 'mint') named.mints.add(address);
      else if (signer || OWNER_ROLES.has(role)) named.owners.add(address);
    }
    const mint = matched.fields.get('mint');
    if (typeof mint === 'string') named.mints.add(mint as Address);
  }
  const candidates = named.mints.size === 0 ? COMMON_MINT_ADDRESSES : [...named.mints];
  book.deriveHoldings([...named.owners], candidates);
}
