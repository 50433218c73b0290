import { deriveAta } from '../programs/associated-token.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
} from '../programs/delegation/pdas.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../programs/addresses.ts';
import type { DelegationAccounts } from '../programs/ephemeral-token/layout-a.ts';
import { deriveEata, deriveVault } from '../programs/ephemeral-token/pdas.ts';
import { derivePermission } from '../programs/permission/pdas.ts';
import type { Address } from '../solana/address.ts';
import type { Pda } from '../solana/pda.ts';

/** Every derived address a deposit touches. */
export interface DepositAccounts {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly ownerAta: Address;
  readonly eata: Pda;
  readonly vault: Pda;
  readonly vaultAta: Address;
  /** What the eATA is delegated through. */
  readonly delegation: DelegationAccounts;
  readonly permission: Address;
}

/** Derives what a deposit of `owner` into the vault of `mint` touches. */
export function deriveDepositAccounts(owner: Address, mint: Address, tokenProgram: Address): DepositAccounts {
  const eata = deriveEata(owner, mint);
  const { vault, vaultAta } = vaultOf(mint, tokenProgram);
  return {
    owner,
    mint,
    tokenProgram,
    ownerAta: deriveAta(owner, mint, tokenProgram).address,
    eata,
    vault,
    vaultAta,
    delegation: deriveDelegationAccounts(eata.address, EPHEMERAL_TOKEN_PROGRAM),
    permission: derivePermission(eata.address).address,
  };
}

/** The buffer and records an account of `ownerProgram` is delegated through. */
export function deriveDelegationAccounts(account: Address, ownerProgram: Address): DelegationAccounts {
  return {
    buffer: deriveDelegateBuffer(account, ownerProgram).address,
    record: deriveDelegationRecord(account).address,
    metadata: deriveDelegationMetadata(account).address,
  };
}

interface Vault {
  readonly vault: Pda;
  readonly vaultAta: Address;
}

/** Vaults derived lately: they depend on the mint alone, and few mints make up most deposits. */
const vaults = new Map<string, Vault>();
const VAULTS_MAX = 256;

function vaultOf(mint: Address, tokenProgram: Address): Vault {
  const key = `${mint} ${tokenProgram}`;
  let known = vaults.get(key);
  if (known === undefined) {
    const vault = deriveVault(mint);
    known = { vault, vaultAta: deriveAta(vault.address, mint, tokenProgram).address };
    if (vaults.size >= VAULTS_MAX) vaults.delete(vaults.keys().next().value as string);
    vaults.set(key, known);
  }
  return known;
}
