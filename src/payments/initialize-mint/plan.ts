import { createAtaIdempotent } from '../../programs/associated-token.ts';
import { delegateEata } from '../../programs/ephemeral-token/layout-b/eata.ts';
import { initRentPda } from '../../programs/ephemeral-token/layout-b/lamports.ts';
import {
  delegateTransferQueue,
  initTransferQueue,
} from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { initVault } from '../../programs/ephemeral-token/layout-b/vault.ts';
import { transferLamports } from '../../programs/system.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { RENT_PDA, RENT_PDA_TARGET_LAMPORTS } from '../fees/shuttle-costs.ts';
import type { MintSetupAccounts } from './accounts.ts';

/**
 * The instructions of setting up a mint on a validator, in the hosted API's order: the transfer queue, the
 * rent PDA and its lamports, the queue's delegation, the vault and its ATA, the delegation of the vault's
 * eATA.
 */
export function planInitializeMint(accounts: MintSetupAccounts, payer: Address): Instruction[] {
  const { mint, tokenProgram, validator, queue, vaultAta, vaultEata } = accounts;
  const vault = accounts.vault.address;
  return [
    initTransferQueue({ ...accounts, payer, eataDelegation: accounts.queueEataDelegation }, null),
    initRentPda({ payer, rentPda: RENT_PDA }),
    transferLamports(payer, RENT_PDA, RENT_PDA_TARGET_LAMPORTS),
    delegateTransferQueue({ payer, queue, mint, delegation: accounts.queueDelegation }),
    initVault({ vault, payer, mint, vaultEata, vaultAta, tokenProgram }),
    createAtaIdempotent({ payer, ata: vaultAta, owner: vault, mint, tokenProgram }),
    delegateEata({ payer, eata: vaultEata, delegation: accounts.vaultEataDelegation }, validator),
  ];
}
