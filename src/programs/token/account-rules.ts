import type { Address } from '../../solana/address.ts';
import { viewOf } from '../../solana/view-of.ts';
import { listExtensions } from './extension-list.ts';
import { optionalAddressAt, TOKEN_ACCOUNT_BYTES } from './state.ts';

/** Who besides its owner has a say over a token account, and what the account asks of those who move its tokens. */
export interface AccountRules {
  /** May move `delegatedAmount` out of it. */
  readonly delegate: Address | null;
  /** Base units; 0 without a delegate. */
  readonly delegatedAmount: bigint;
  /** May close it in place of the owner: an empty one, or one of wrapped SOL with all that is in it. */
  readonly closeAuthority: Address | null;
  /** Takes only transfers with a memo right before them (Token-2022 `MemoTransfer`). */
  readonly needsMemo: boolean;
  /** Gives nothing to a program that its owner signs for (Token-2022 `CpiGuard`). */
  readonly guardsCpi: boolean;
}

/** Types of Token-2022's extensions of an account whose value is one byte, 0 for off (`ExtensionType`). */
const MEMO_TRANSFER = 8;
const CPI_GUARD = 11;

/** What most accounts have: their owner alone. */
const OWNER_ALONE: AccountRules = {
  delegate: null,
  delegatedAmount: 0n,
  closeAuthority: null,
  needsMemo: false,
  guardsCpi: false,
};

/**
 * The rules of an initialised token account, which `data` must be. Layout: SPL Token `Account`; an extension that cannot be
 * read asks for nothing.
 */
export function decodeAccountRules(data: Uint8Array): AccountRules {
  const delegate = optionalAddressAt(data, 72);
  const closeAuthority = optionalAddressAt(data, 129);
  const isPlain = data.length === TOKEN_ACCOUNT_BYTES;
  if (delegate === null && closeAuthority === null && isPlain) return OWNER_ALONE;
  const extensions = isPlain ? null : listExtensions(data);
  const isOn = (type: number): boolean =>
    (extensions?.find((extension) => extension.type === type)?.value[0] ?? 0) !== 0;
  const view = viewOf(data);
  return {
    delegate,
    delegatedAmount: delegate === null ? 0n : view.getBigUint64(121, true),
    closeAuthority,
    needsMemo: isOn(MEMO_TRANSFER),
    guardsCpi: isOn(CPI_GUARD),
  };
}
