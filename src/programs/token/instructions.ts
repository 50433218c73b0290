import type { Address } from '../../solana/address.ts';
import { signer, writable, type Instruction } from '../../solana/instruction.ts';

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
