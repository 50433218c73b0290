import type { Address } from '../../../solana/address.ts';
import { readonly, signer, writable, writableSigner, type Instruction } from '../../../solana/instruction.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../addresses.ts';
import { u64 } from '../../instruction-data.ts';
import type { VaultTransferAccounts } from '../layout-a.ts';
import { call, TAG } from './call.ts';

/** Tag 1: creates the vault of a mint with its eATA and its ATA; does nothing when they are there. */
export function initVault(accounts: {
  vault: Address;
  payer: Address;
  mint: Address;
  vaultEata: Address;
  vaultAta: Address;
  tokenProgram: Address;
}): Instruction {
  return call(TAG.initVault, [
    writable(accounts.vault),
    writableSigner(accounts.payer),
    readonly(accounts.mint),
    writable(accounts.vaultEata),
    writable(accounts.vaultAta),
    readonly(accounts.tokenProgram),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
  ]);
}

/** Tag 2: moves tokens from the owner's ATA into the vault and credits the eATA, which must not be delegated. */
export function deposit(accounts: VaultTransferAccounts, amount: bigint): Instruction {
  return call(
    TAG.deposit,
    [
      writable(accounts.eata),
      readonly(accounts.vault),
      readonly(accounts.mint),
      writable(accounts.ownerAta),
      writable(accounts.vaultAta),
      signer(accounts.owner),
      readonly(accounts.tokenProgram),
    ],
    u64(amount),
  );
}

/** Tag 3: moves tokens from the vault back to the owner's ATA and debits the eATA, which must not be delegated. */
export function withdraw(accounts: VaultTransferAccounts, amount: bigint): Instruction {
  return call(
    TAG.withdraw,
    [
      signer(accounts.owner),
      writable(accounts.eata),
      readonly(accounts.vault),
      readonly(accounts.mint),
      writable(accounts.vaultAta),
      writable(accounts.ownerAta),
      readonly(accounts.tokenProgram),
    ],
    u64(amount),
  );
}
