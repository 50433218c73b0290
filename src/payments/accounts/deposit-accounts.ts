import { deriveAta } from '../../programs/associated-token.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
  deriveValidatorFeesVault,
} from '../../programs/delegation/pdas.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { DelegationAccounts } from '../../programs/ephemeral-token/layout-a.ts';
import { deriveEata, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { derivePermission } from '../../programs/permission/pdas.ts';
import type { Address } from '../../solana/address.ts';
import type { Pda } from '../../solana/pda.ts';
import { remember } from '../building/remember.ts';
import type { ExpectedTokenAccount } from './token-account.ts';

/** The vault of a mint, which holds the deposited tokens. */
export interface MintVault {
  readonly vault: Pda;
  /** The token account that holds them. */
  readonly vaultAta: Address;
  /** The vault's own eATA; layout B only. */
  readonly vaultEata: Address;
}

/** All derived addresses of a deposit or a withdrawal. */
export interface DepositAccounts extends MintVault {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly ownerAta: Address;
  readonly eata: Pda;
  /** The accounts used to delegate the eATA. */
  readonly delegation: DelegationAccounts;
  readonly permission: Address;
}

/** Derives the addresses of a deposit by `owner` into the vault of `mint`. */
export function deriveDepositAccounts(owner: Address, mint: Address, tokenProgram: Address): DepositAccounts {
  const eata = deriveEata(owner, mint);
  return {
    owner,
    mint,
    tokenProgram,
    ownerAta: deriveAta(owner, mint, tokenProgram).address,
    eata,
    ...deriveMintVault(mint, tokenProgram),
    delegation: deriveDelegationAccounts(eata.address, EPHEMERAL_TOKEN_PROGRAM),
    permission: derivePermission(eata.address).address,
  };
}

/** The eATA with its owner and mint. */
export const eataOf = ({ eata, owner, mint }: DepositAccounts) => ({ eata: eata.address, owner, mint });

/** What the owner's ATA is expected to be. */
export const expectedOwnerAta = ({
  ownerAta: ata,
  owner,
  mint,
  tokenProgram,
}: Pick<DepositAccounts, 'owner' | 'ownerAta' | 'mint' | 'tokenProgram'>): ExpectedTokenAccount => ({
  ata,
  owner,
  mint,
  tokenProgram,
});

/** The buffer and records used to delegate an account of `ownerProgram`. */
export function deriveDelegationAccounts(account: Address, ownerProgram: Address): DelegationAccounts {
  return {
    buffer: deriveDelegateBuffer(account, ownerProgram).address,
    record: deriveDelegationRecord(account).address,
    metadata: deriveDelegationMetadata(account).address,
  };
}

/** Most deposits use few mints and validators, and deriving addresses is most of the cost of building one. */
const REMEMBERED_MAX = 256;

/** The vault of a mint owned by `tokenProgram`. */
export const deriveMintVault = (mint: Address, tokenProgram: Address): MintVault =>
  vaultsOf(tokenProgram)(mint);

const vaultsOf = remember(8, (tokenProgram) =>
  remember(REMEMBERED_MAX, (mint): MintVault => {
    const vault = deriveVault(mint as Address);
    return {
      vault,
      vaultAta: deriveAta(vault.address, mint as Address, tokenProgram as Address).address,
      vaultEata: deriveEata(vault.address, mint as Address).address,
    };
  }),
);

const feesVaultOf = remember(
  REMEMBERED_MAX,
  (validator) => deriveValidatorFeesVault(validator as Address).address,
);

/** The fees vault of a validator. Its existence admits the validator to the delegation program. */
export const deriveFeesVaultOf = (validator: Address): Address => feesVaultOf(validator);
