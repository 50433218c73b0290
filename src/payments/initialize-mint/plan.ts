import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { createAtaIdempotent } from '../../programs/associated-token.ts';
import type { DelegationAccounts } from '../../programs/delegation/pdas.ts';
import { delegateEata, initRentPda, initVault } from '../../programs/ephemeral-token/layout-b/eata.ts';
import {
  delegateTransferQueue,
  initTransferQueue,
} from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { transferLamports } from '../../programs/system.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { deriveDelegationAccounts, deriveMintVault, type MintVault } from '../accounts/deposit-accounts.ts';
import { type QueueAccounts, queueAccountsOf } from '../accounts/transfer-queue.ts';
import { RENT_PDA, RENT_PDA_TARGET_LAMPORTS } from '../fees/costs.ts';

/** All derived addresses of setting up a mint on a validator. */
export interface MintSetupAccounts extends MintVault, Omit<QueueAccounts, 'eataDelegation'> {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly validator: Address;
  /** The accounts used to delegate the queue. */
  readonly queueDelegation: DelegationAccounts;
  /** The accounts used to delegate the queue's eATA. */
  readonly queueEataDelegation: DelegationAccounts;
  /** The accounts used to delegate the vault's eATA. */
  readonly vaultEataDelegation: DelegationAccounts;
}

/** Derives the addresses of setting up `mint` on `validator`. */
export function deriveMintSetupAccounts(
  mint: Address,
  tokenProgram: Address,
  validator: Address,
): MintSetupAccounts {
  const vault = deriveMintVault(mint, tokenProgram);
  const { eataDelegation, ...queue } = queueAccountsOf(mint, validator, tokenProgram);
  return {
    mint,
    tokenProgram,
    validator,
    ...vault,
    ...queue,
    queueDelegation: deriveDelegationAccounts(queue.queue, EPHEMERAL_TOKEN_PROGRAM),
    queueEataDelegation: eataDelegation,
    vaultEataDelegation: deriveDelegationAccounts(vault.vaultEata, EPHEMERAL_TOKEN_PROGRAM),
  };
}

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
