import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../addresses.ts';
import type { MintExtensions } from './mint-extensions.ts';
import { TOKEN_ACCOUNT_BYTES } from './state.ts';

/**
 * Bytes before each extension's value: type u16 and length u16 (SPL Token-2022 `add_type_and_length_to_len`).
 */
const HEADER_BYTES = 4;

/**
 * The account-type byte, and `ImmutableOwner`, which every associated token account has and which has no
 * value.
 */
const ATA_EXTRA_BYTES = 1 + HEADER_BYTES;

/**
 * Bytes that mint extensions require in token accounts (SPL Token-2022
 * `get_required_init_account_extensions`): `TransferFeeAmount` a u64, `TransferHookAccount` a bool,
 * `NonTransferableAccount` and `PausableAccount` nothing.
 */
const TRANSFER_FEE_AMOUNT_BYTES = HEADER_BYTES + 8;
const TRANSFER_HOOK_ACCOUNT_BYTES = HEADER_BYTES + 1;
const NON_TRANSFERABLE_ACCOUNT_BYTES = HEADER_BYTES;
const PAUSABLE_ACCOUNT_BYTES = HEADER_BYTES;

/** The properties of a mint that determine the size of its accounts. */
type AccountTerms = Pick<MintExtensions, 'transferFee' | 'hasTransferHook' | 'nonTransferable' | 'pausable'>;

/**
 * Size of a new associated token account, bytes.
 *
 * @param extensions those of the mint; null if the mint was not read, in which case the result is the largest
 *   known size. Unknown extensions may require more.
 */
export function ataBytes(tokenProgram: Address | null, extensions: AccountTerms | null): number {
  if (tokenProgram === TOKEN_PROGRAM) return TOKEN_ACCOUNT_BYTES;
  const asked = [
    [extensions?.transferFee !== null, TRANSFER_FEE_AMOUNT_BYTES],
    [extensions?.hasTransferHook !== false, TRANSFER_HOOK_ACCOUNT_BYTES],
    [extensions?.nonTransferable !== false, NON_TRANSFERABLE_ACCOUNT_BYTES],
    [extensions?.pausable !== null, PAUSABLE_ACCOUNT_BYTES],
  ] as const;
  return asked.reduce(
    (bytes, [isAsked, size]) => (isAsked ? bytes + size : bytes),
    TOKEN_ACCOUNT_BYTES + ATA_EXTRA_BYTES,
  );
}
