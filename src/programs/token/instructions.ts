import type { Address } from '../../solana/address.ts';
import { signer, writable, type Instruction } from '../../solana/instruction.ts';
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
