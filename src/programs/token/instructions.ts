import type { Address } from '../../solana/address.ts';
import { readonly, signer, writable, type Instruction } from '../../solana/instruction.ts';
import { concat, u64, u8 } from '../instruction-data.ts';

/** `MintTo` (tag 7): the authority makes `amount` base units appear in a token account. */
export function mintTo(
  tokenProgram: Address,
  accounts: { mint: Address; destination: Address; authority: Address },
  amount: bigint,
): Instruction {
  const data = new Uint8Array(9);
  data[0] = 7;
  new DataView(data.buffer).setBigUint64(1, amount, true);
  return {
    programId: tokenProgram,
    accounts: [writable(accounts.mint), writable(accounts.destination), signer(accounts.authority)],
    data,
  };
}

/** `Transfer` (tag 3): moves `amount` base units between two token accounts of a mint. */
export function transferTokens(
  tokenProgram: Address,
  accounts: { source: Address; destination: Address; authority: Address },
  amount: bigint,
): Instruction {
  return {
    programId: tokenProgram,
    accounts: [writable(accounts.source), writable(accounts.destination), signer(accounts.authority)],
    data: concat(u8(3), u64(amount)),
  };
}

/** What a transfer that names its mint moves between. */
export interface CheckedTransferAccounts {
  readonly source: Address;
  readonly mint: Address;
  readonly destination: Address;
  readonly authority: Address;
}

/** `TransferChecked` (tag 12): a transfer that fails when the mint has other decimals. */
export function transferChecked(
  tokenProgram: Address,
  accounts: CheckedTransferAccounts,
  amount: bigint,
  decimals: number,
): Instruction {
  return {
    programId: tokenProgram,
    accounts: checkedMetas(accounts),
    data: concat(u8(12), u64(amount), u8(decimals)),
  };
}

/**
 * Token-2022 `TransferCheckedWithFee` (tags 26 and 1): a transfer that fails when the mint withholds anything but `fee` base
 * units of `amount`.
 */
export function transferCheckedWithFee(
  tokenProgram: Address,
  accounts: CheckedTransferAccounts,
  amount: bigint,
  { decimals, fee }: { readonly decimals: number; readonly fee: bigint },
): Instruction {
  return {
    programId: tokenProgram,
    accounts: checkedMetas(accounts),
    data: concat(u8(26), u8(1), u64(amount), u8(decimals), u64(fee)),
  };
}

const checkedMetas = ({ source, mint, destination, authority }: CheckedTransferAccounts) => [
  writable(source),
  readonly(mint),
  writable(destination),
  signer(authority),
];

/** `CloseAccount` (tag 9): the account's lamports go to `destination`; wrapped SOL becomes SOL again. */
export function closeTokenAccount(
  tokenProgram: Address,
  accounts: { account: Address; destination: Address; authority: Address },
): Instruction {
  return {
    programId: tokenProgram,
    accounts: [writable(accounts.account), writable(accounts.destination), signer(accounts.authority)],
    data: u8(9),
  };
}

/** `SyncNative` (tag 17): a wrapped SOL account's amount becomes what its lamports are worth. */
export function syncNative(tokenProgram: Address, account: Address): Instruction {
  return { programId: tokenProgram, accounts: [writable(account)], data: u8(17) };
}
