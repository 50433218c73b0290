import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import {
  type DelegationAccounts,
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
  deriveValidatorFeesVault,
} from '../../programs/delegation/pdas.ts';
import { deriveEata, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { derivePermission } from '../../programs/permission/state.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, isAddressAt } from '../../solana/address.ts';
import type { Pda } from '../../solana/pda.ts';
import type { Rent } from '../../solana/rent.ts';
import { remember } from '../building/remember.ts';
import { requireRent } from '../fees/costs.ts';
import { isProgramAccount } from './read-accounts.ts';
import {
  type ExpectedTokenAccount,
  type OwnershipAdvice,
  readTokenAccount,
  type TokenAccountState,
} from './token-account.ts';

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
  // One text as the key; base58 contains no spaces.
  vaults(`${mint} ${tokenProgram}`);

const vaults = remember(REMEMBERED_MAX, (key): MintVault => {
  const [mint, tokenProgram] = key.split(' ') as [Address, Address];
  const vault = deriveVault(mint);
  return {
    vault,
    vaultAta: deriveAta(vault.address, mint, tokenProgram).address,
    vaultEata: deriveEata(vault.address, mint).address,
  };
});

/** The fees vault of a validator. Its existence admits the validator to the delegation program. */
export const deriveFeesVaultOf = remember(
  REMEMBERED_MAX,
  (validator: Address): Address => deriveValidatorFeesVault(validator).address,
);

/** State of an owner who deposits or withdraws, of the validator, and of the shuttle. */
export interface OwnerState {
  /** The owner's token account; null if it does not exist. */
  readonly ownerTokens: TokenAccountState | null;
  /** Lamports of the owner's wallet. */
  readonly ownerLamports: bigint;
  /** Whether the delegation program admits the validator. Otherwise it could never settle. */
  readonly validatorAdmitted: boolean;
  /** 0 if it was not read because it does not matter. */
  readonly rentPdaLamports: bigint;
  readonly rent: Rent;
  /** Whether the shuttle cannot be created; false without one. */
  readonly shuttleTaken: boolean;
}

/** The addresses of the owner's state, without shuttles. */
export const addressesOfOwner = (accounts: DepositAccounts, validator: Address) => ({
  eata: accounts.eata.address,
  record: accounts.delegation.record,
  ownerAta: accounts.ownerAta,
  wallet: accounts.owner,
  feesVault: deriveFeesVaultOf(validator),
  rent: RENT_SYSVAR,
});

/** The accounts at these addresses. */
type OwnerAccounts = Readonly<
  Record<'ownerAta' | 'wallet' | 'feesVault' | 'rentPda' | 'rent' | 'shuttle', Account | null>
>;

/**
 * Checks the accounts of an owner already known to be a wallet.
 *
 * @throws {ServiceError} TOKEN_ACCOUNT_OWNER_MISMATCH, ACCOUNT_UNREADABLE if the owner's ATA is not what its
 *   address implies.
 */
export const ownerStateOf = (
  accounts: DepositAccounts,
  found: OwnerAccounts,
  advice: OwnershipAdvice,
): OwnerState => ({
  ownerTokens: readTokenAccount(expectedOwnerAta(accounts), found.ownerAta, advice),
  ownerLamports: found.wallet?.lamports ?? 0n,
  validatorAdmitted: found.feesVault?.owner === DELEGATION_PROGRAM,
  rentPdaLamports: found.rentPda?.lamports ?? 0n,
  rent: requireRent(found.rent),
  shuttleTaken: found.shuttle !== null,
});

/** The vault that receives the tokens. */
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

const forDepositing: OwnershipAdvice = ({ holder }) =>
  `the deposited tokens would belong to ${holder} and not to the vault. Do not deposit this mint here.`;
