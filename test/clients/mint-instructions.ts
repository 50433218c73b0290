import { createAccount } from '../../src/ledger/testing/instructions.ts';
import { TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../src/programs/associated-token.ts';
import { mintTo } from '../../src/programs/token/instructions.ts';
import { type Address, addressBytes } from '../../src/solana/address.ts';
import { type Instruction, writable } from '../../src/solana/instruction.ts';

/** Size of a mint in bytes, and its rent in lamports. */
const MINT_BYTES = 82n;
const MINT_LAMPORTS = 1_461_600n;

/** Creates a mint with 6 decimals and the payer as its authority, with `InitializeMint2` (tag 20). */
export function createMint(payer: Address, mint: Address): readonly Instruction[] {
  return [
    createAccount(payer, mint, { lamports: MINT_LAMPORTS, space: MINT_BYTES, owner: TOKEN_PROGRAM }),
    {
      programId: TOKEN_PROGRAM,
      accounts: [writable(mint)],
      data: Uint8Array.from([20, 6, ...addressBytes(payer), 0]),
    },
  ];
}

/** Creates the ATA of an owner. If there is an amount, the payer mints it to the ATA. */
export function createHolding(
  payer: Address,
  owner: Address,
  mint: Address,
  amount?: bigint,
): readonly Instruction[] {
  const ata = deriveAta(owner, mint, TOKEN_PROGRAM).address;
  const create = createAtaIdempotent({ payer, ata, owner, mint, tokenProgram: TOKEN_PROGRAM });
  if (amount === undefined) return [create];
  return [create, mintTo(TOKEN_PROGRAM, { mint, destination: ata, authority: payer }, amount)];
}
