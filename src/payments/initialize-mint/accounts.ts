import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import type { DelegationAccounts } from '../../programs/ephemeral-token/layout-a.ts';
import { deriveEata, deriveTransferQueue } from '../../programs/ephemeral-token/pdas.ts';
import { derivePermission } from '../../programs/permission/pdas.ts';
import type { Address } from '../../solana/address.ts';
import { deriveDelegationAccounts, deriveMintVault, type MintVault } from '../accounts/deposit-accounts.ts';

/** All derived addresses of setting up a mint on a validator. */
export interface MintSetupAccounts extends MintVault {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly validator: Address;
  readonly queue: Address;
  readonly queuePermission: Address;
  readonly queueEata: Address;
  readonly queueAta: Address;
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
  const queue = deriveTransferQueue(mint, validator).address;
  const queueEata = deriveEata(queue, mint).address;
  return {
    mint,
    tokenProgram,
    validator,
    ...vault,
    queue,
    queuePermission: derivePermission(queue).address,
    queueEata,
    queueAta: deriveAta(queue, mint, tokenProgram).address,
    queueDelegation: deriveDelegationAccounts(queue, EPHEMERAL_TOKEN_PROGRAM),
    queueEataDelegation: deriveDelegationAccounts(queueEata, EPHEMERAL_TOKEN_PROGRAM),
    vaultEataDelegation: deriveDelegationAccounts(vault.vaultEata, EPHEMERAL_TOKEN_PROGRAM),
  };
}
