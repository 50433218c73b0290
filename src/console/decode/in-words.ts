import type { AccountField, AccountInWords, DecodedAccount, UnknownAccount } from '../answers.ts';

/** Kinds that are called otherwise than they are written. */
const TITLES: Readonly<Record<string, string>> = {
  eata: 'Ephemeral token account',
  system: 'Wallet',
  unknown: 'Account',
};

/** An account with what it is called ("Lookup table"), and with its counts, slots and flags as texts. */
export function inWords(account: DecodedAccount | UnknownAccount): AccountInWords {
  const title = TITLES[account.kind] ?? capitalized(account.kind.replaceAll('-', ' '));
  return 'fields' in account
    ? { ...account, title, fields: account.fields.map(worded) }
    : { ...account, title };
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function worded(field: AccountField): AccountField {
  const { type, value } = field;
  if (value === null) return field;
  if (type === 'flag') return { ...field, type: 'text', value: value === true ? 'yes' : 'no' };
  if (type === 'count' || type === 'slot')
    return { ...field, type: 'text', value: BigInt(value).toLocaleString('en-US') };
  return field;
}
