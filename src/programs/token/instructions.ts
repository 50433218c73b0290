import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { type AccountsOf, encode } from '../instruction-table/encode.ts';
import { TOKEN_TABLE, TRANSFER_FEE_TABLE } from './table.ts';

/** Instructions of SPL Token or Token-2022; amounts are base units. */

/** Mints `amount` to a token account. */
export const mintTo = (
  programId: Address,
  accounts: AccountsOf<typeof TOKEN_TABLE.mintTo>,
  amount: bigint,
): Instruction => ({ ...encode(TOKEN_TABLE.mintTo, accounts, { amount }), programId });

/** Transfers `amount` between two token accounts of a mint. */
export const transferTokens = (
  programId: Address,
  accounts: AccountsOf<typeof TOKEN_TABLE.transfer>,
  amount: bigint,
): Instruction => ({ ...encode(TOKEN_TABLE.transfer, accounts, { amount }), programId });

/** The accounts of a `transferChecked` call. */
export type CheckedTransferAccounts = AccountsOf<typeof TOKEN_TABLE.transferChecked>;

/** Transfers `amount`. Fails if `decimals` differs from the mint's. */
export const transferChecked = (
  programId: Address,
  accounts: CheckedTransferAccounts,
  amount: bigint,
  decimals: number,
): Instruction => ({
  ...encode(TOKEN_TABLE.transferChecked, accounts, { amount, decimals }),
  programId,
});

/** Transfers `amount` with Token-2022. Fails unless the mint withholds exactly `fee` base units. */
export const transferCheckedWithFee = (
  programId: Address,
  accounts: CheckedTransferAccounts,
  amount: bigint,
  { decimals, fee }: { readonly decimals: number; readonly fee: bigint },
): Instruction => ({
  ...encode(TRANSFER_FEE_TABLE.transferCheckedWithFee, accounts, { amount, decimals, fee }),
  programId,
});

/** Closes an account. Its lamports go to `destination`, so wrapped SOL becomes SOL. */
export const closeTokenAccount = (
  programId: Address,
  accounts: AccountsOf<typeof TOKEN_TABLE.closeAccount>,
): Instruction => ({ ...encode(TOKEN_TABLE.closeAccount, accounts), programId });

/** Sets the amount of a wrapped SOL account to its lamports minus the rent. */
export const syncNative = (programId: Address, account: Address): Instruction => ({
  ...encode(TOKEN_TABLE.syncNative, { account }),
  programId,
});
