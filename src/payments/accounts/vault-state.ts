import { ServiceError } from '../../errors/service-error.ts';
import type { Account } from '../../solana/account.ts';
import { isAddressAt, type Address } from '../../solana/address.ts';
import type { MintVault } from './deposit-accounts.ts';
import { isProgramAccount } from './program-account.ts';
import { readTokenAccount, type TokenAccountState, type WayOut } from './token-account.ts';

/** The vault that tokens are to be paid into. */
interface ExpectedVault extends Pick<MintVault, 'vault' | 'vaultAta'> {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/**
 * The token account of a mint's vault. Null if the vault or that account is missing; the same instructions
 * create both.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if the vault is of another mint; TOKEN_ACCOUNT_OWNER_MISMATCH if
 *   its tokens do not belong to the vault.
 */
export function readVault(
  expected: ExpectedVault,
  accounts: { readonly vault: Account | null; readonly vaultAta: Account | null },
): TokenAccountState | null {
  const { vaultAta: ata, mint, tokenProgram } = expected;
  const vault = expected.vault.address;
  if (accounts.vault === null || !isProgramAccount(accounts.vault)) return null;
  requireVaultOf(expected, accounts.vault.data);
  return readTokenAccount({ ata, owner: vault, mint, tokenProgram }, accounts.vaultAta, forDepositing);
}

/**
 * Layout A: mint. Layout B: mint, the vault's token account, bump u8 (ephemeral token program `GlobalVault`).
 */
function requireVaultOf({ vault, vaultAta, mint }: ExpectedVault, data: Uint8Array): void {
  const namesAta = data.length >= 64;
  if (isAddressAt(data, 0, mint) && (!namesAta || isAddressAt(data, 32, vaultAta))) return;
  throw new ServiceError(
    'ACCOUNT_UNREADABLE',
    `The vault ${vault.address} of mint ${mint} does not name that mint and the token account ${vaultAta}: this cluster runs another program layout than configured, or its RPC is wrong`,
    { vault: vault.address, mint },
  );
}

const forDepositing: WayOut = ({ holder }) =>
  `what is deposited would be ${holder}'s and not the vault's. Deposit nothing of this mint here.`;
