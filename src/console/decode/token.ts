import { listExtensions } from '../../programs/token/extension-list.ts';
import {
  decodeMint,
  decodeTokenAccount,
  MINT_BYTES,
  TOKEN_ACCOUNT_BYTES,
} from '../../programs/token/state.ts';
import type { DecodedAccount } from '../answers.ts';
import { AccountForm } from './account-form.ts';

/** Offset of the first extension of Token-2022: after the account-type byte (`listExtensions`). */
const EXTENSIONS_AT = TOKEN_ACCOUNT_BYTES + 1;
const EXTENSION_HEADER_BYTES = 4;

/** Decodes a mint or a token account, with its extensions as bytes. */
export function decodeToken(data: Uint8Array): DecodedAccount | null {
  return decodeMintAccount(data) ?? decodeHolding(data);
}

function decodeMintAccount(data: Uint8Array): DecodedAccount | null {
  if (decodeMint(data) === null) return null;
  const form = new AccountForm(data)
    .optionalAddress('mintAuthority', 'Who may mint', 0, 4)
    .u64('supply', 'Supply', 36)
    .u8('decimals', 'Decimals', 44)
    .flag('isInitialized', 'Initialised', 45, true)
    .optionalAddress('freezeAuthority', 'Who may freeze', 46, 4);
  return withExtensions(form, data, MINT_BYTES).as('mint');
}

function decodeHolding(data: Uint8Array): DecodedAccount | null {
  const account = decodeTokenAccount(data);
  if (account === null) return null;
  const form = new AccountForm(data)
    .address('mint', 'Mint', 0)
    .address('owner', 'Whose', 32)
    .u64('amount', 'Balance', 64)
    .optionalAddress('delegate', 'Delegate', 72, 4)
    .text('state', 'State', account.state, 108, 1)
    .flag('isNative', 'Wrapped SOL', 109, account.rentExemptReserve !== null)
    .u64('delegatedAmount', 'Of it the delegate may spend', 121)
    .optionalAddress('closeAuthority', 'Who may close it', 129, 4);
  return withExtensions(form, data, TOKEN_ACCOUNT_BYTES).as('token-account');
}

function withExtensions(form: AccountForm, data: Uint8Array, plainBytes: number): AccountForm {
  if (data.length === plainBytes) return form;
  let at = EXTENSIONS_AT;
  for (const { type, value } of listExtensions(data) ?? []) {
    form.bytes(`extension${type}`, `Extension ${type}`, at + EXTENSION_HEADER_BYTES, value.length);
    at += EXTENSION_HEADER_BYTES + value.length;
  }
  return form;
}
