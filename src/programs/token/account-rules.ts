import type { Address } from '../../solana/address.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import { listExtensions } from './mint-extensions.ts';
import { optionalAddressAt, TOKEN_ACCOUNT_BYTES } from './state.ts';

/** Rights over a token account of parties other than the owner, and its conditions for transfers. */
export interface AccountRules {
  /** The address that may transfer up to `delegatedAmount` out of the account. */
  readonly delegate: Address | null;
  /** The delegated amount, in base units; 0 without a delegate. */
  readonly delegatedAmount: bigint;
  /**
   * The address that can close the account in addition to the owner. The account must be empty, unless it
   * holds wrapped SOL.
   */
  readonly closeAuthority: Address | null;
  /** Whether an incoming transfer needs a memo directly before it (Token-2022 `MemoTransfer`). */
  readonly needsMemo: boolean;
  /** Whether programs cannot transfer with the owner's signature (Token-2022 `CpiGuard`). */
  readonly guardsCpi: boolean;
  /**
   * Whether only confidential transfers are accepted (Token-2022 `ConfidentialTransferAccount`,
   * `allow_non_confidential_credits`).
   */
  readonly takesConfidentialOnly: boolean;
}

/** Types of Token-2022 account extensions whose value is one byte, 0 for off (`ExtensionType`). */
const MEMO_TRANSFER = 8;
const CPI_GUARD = 11;

/**
 * `ConfidentialTransferAccount`: approved u8, key 32, three balances of 64, a decryptable balance of 36,
 * allow confidential credits u8, allow other credits u8.
 */
const CONFIDENTIAL_TRANSFER_ACCOUNT = 5;
const OTHERS_ALLOWED_AT = 262;

/** The rules of an account that only its owner can use, like most accounts. */
const OWNER_ALONE: AccountRules = {
  delegate: null,
  delegatedAmount: 0n,
  closeAuthority: null,
  needsMemo: false,
  guardsCpi: false,
  takesConfidentialOnly: false,
};

/** Decodes the rules of an initialized token account (SPL Token `Account`). Ignores unreadable extensions. */
export function decodeAccountRules(data: Uint8Array): AccountRules {
  const delegate = optionalAddressAt(data, 72);
  const closeAuthority = optionalAddressAt(data, 129);
  const isPlain = data.length === TOKEN_ACCOUNT_BYTES;
  if (delegate === null && closeAuthority === null && isPlain) return OWNER_ALONE;
  const extensions = isPlain ? null : listExtensions(data);
  const valueOf = (type: number): Uint8Array | undefined =>
    extensions?.find((extension) => extension.type === type)?.value;
  const isOn = (type: number): boolean => (valueOf(type)?.[0] ?? 0) !== 0;
  const view = viewOf(data);
  return {
    delegate,
    delegatedAmount: delegate === null ? 0n : view.getBigUint64(121, true),
    closeAuthority,
    needsMemo: isOn(MEMO_TRANSFER),
    guardsCpi: isOn(CPI_GUARD),
    takesConfidentialOnly: valueOf(CONFIDENTIAL_TRANSFER_ACCOUNT)?.[OTHERS_ALLOWED_AT] === 0,
  };
}
