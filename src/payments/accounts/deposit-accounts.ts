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

/** The vault of a mint: where deposited tokens are kept. */
export interface MintVault {
  readonly vault: Pda;
  /** The token account they lie in. */
  readonly vaultAta: Address;
  /** The vault's own eATA; layout B only. */
  readonly vaultEata: Address;
}

/** Every derived address a deposit or a withdrawal touches. */
export interface DepositAccounts extends MintVault {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly ownerAta: Address;
  readonly eata: Pda;
  /** What the eATA is delegated through. */
  readonly delegation: DelegationAccounts;
  readonly permission: Address;
}

/** Derives what a deposit of `owner` into the vault of `mint` touches. */
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

/** The eATA, by whose it is. */
export const eataOf = ({ eata, owner, mint }: DepositAccounts) => ({ eata: eata.address, owner, mint });

/** What the owner's ATA should be. */
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

/** The buffer and records an account of `ownerProgram` is delegated through. */
export function deriveDelegationAccounts(account: Address, ownerProgram: Address): DelegationAccounts {
  return {
    buffer: deriveDelegateBuffer(account, ownerProgram).address,
    record: deriveDelegationRecord(account).address,
    metadata: deriveDelegationMetadata(account).address,
  };
}

/** Few mints and validators make up most deposits, and deriving is most of what building one costs. */
const REMEMBERED_MAX = 256;

/** The vault of a mint that `tokenProgram` owns. */
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

/** The fees vault whose existence admits a validator to the delegation program. */
export const deriveFeesVaultOf = (validator: Address): Address => feesVaultOf(validator);
