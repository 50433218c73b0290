import { ServiceError } from '../../errors/service-error.ts';
import type { Random } from '../../ports/random.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import {
  type DelegationAccounts,
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
  deriveValidatorFeesVault,
} from '../../programs/delegation/pdas.ts';
import type { ShuttleAccounts } from '../../programs/ephemeral-token/layout-b/shuttle.ts';
import { deriveEata, deriveShuttleMetadata, deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { derivePermission } from '../../programs/permission/state.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import type { Account, Rent } from '../../solana/account.ts';
import { type Address, isAddressAt } from '../../solana/address.ts';
import type { Pda } from '../../solana/pda.ts';
import { requireRent } from '../fees/costs.ts';
import {
  type ExpectedTokenAccount,
  isProgramAccount,
  type OwnershipAdvice,
  readTokenAccount,
  type TokenAccountState,
} from './token-account.ts';

/** Caches the last `countMax` results of `derive`. Results must depend only on the key. */
export function remember<Key extends string, Value>(
  countMax: number,
  derive: (key: Key) => Value,
): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = derive(key);
      if (known.size >= countMax) known.delete(known.keys().next().value as Key);
      known.set(key, value);
    }
    return value;
  };
}

/** The vault of a mint, which holds the deposited tokens. */
export interface MintVault {
  readonly vault: Pda;
  readonly vaultAta: Address;
  /** The vault's own eATA; layout B only. */
  readonly vaultEata: Address;
}

/** All derived addresses for a deposit or a withdrawal. */
export interface DepositAccounts extends MintVault {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly ownerAta: Address;
  readonly eata: Pda;
  readonly delegation: DelegationAccounts;
  readonly permission: Address;
}

/** Derives the addresses for a deposit by `owner` into the vault of `mint`. */
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

/** Returns the eATA with its owner and mint. */
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

/** Derives the buffer and records used to delegate an account owned by `ownerProgram`. */
export function deriveDelegationAccounts(account: Address, ownerProgram: Address): DelegationAccounts {
  return {
    buffer: deriveDelegateBuffer(account, ownerProgram).address,
    record: deriveDelegationRecord(account).address,
    metadata: deriveDelegationMetadata(account).address,
  };
}

/**
 * Number of cached derivations. Most deposits use the same few mints and validators, and building one spends
 * most of its time deriving addresses.
 */
export const REMEMBERED_MAX = 256;

/** Derives the vault of a mint owned by `tokenProgram`. */
export const deriveMintVault = (mint: Address, tokenProgram: Address): MintVault =>
  // The key is a single string. It is unambiguous, because base58 contains no spaces.
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

/** Derives the fees vault of a validator. The delegation program admits a validator if its vault exists. */
export const deriveFeesVaultOf = remember(
  REMEMBERED_MAX,
  (validator: Address): Address => deriveValidatorFeesVault(validator).address,
);

/** The state of a depositing or withdrawing owner, the validator and the shuttle. */
export interface OwnerState {
  /** The owner's token account; null if it does not exist. */
  readonly ownerTokens: TokenAccountState | null;
  readonly ownerLamports: bigint;
  /** Whether the delegation program admits the validator. Other validators can never settle. */
  readonly validatorAdmitted: boolean;
  /** Lamports of the rent PDA; 0 if they do not matter and were not read. */
  readonly rentPdaLamports: bigint;
  readonly rent: Rent;
  /** Whether the shuttle cannot be created; false if there is none. */
  readonly shuttleTaken: boolean;
}

/** Lists the addresses that hold the owner's state, without shuttles. */
export const addressesOfOwner = (accounts: DepositAccounts, validator: Address) => ({
  eata: accounts.eata.address,
  record: accounts.delegation.record,
  ownerAta: accounts.ownerAta,
  wallet: accounts.owner,
  feesVault: deriveFeesVaultOf(validator),
  rent: RENT_SYSVAR,
});

type OwnerAccounts = Readonly<
  Record<'ownerAta' | 'wallet' | 'feesVault' | 'rentPda' | 'rent' | 'shuttle', Account | null>
>;

/**
 * Checks the accounts of an owner who is known to be a wallet.
 *
 * @throws {ServiceError} TOKEN_ACCOUNT_OWNER_MISMATCH, ACCOUNT_UNREADABLE if the owner's ATA does not match
 *   its address.
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

interface ExpectedVault extends Pick<MintVault, 'vault' | 'vaultAta'> {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/**
 * Reads the token account of a mint's vault; null if the vault or the account is missing. The same
 * instructions create both.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if the vault belongs to another mint;
 *   TOKEN_ACCOUNT_OWNER_MISMATCH if its tokens do not belong to the vault.
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
 * Checks the vault's data. Layout A: mint. Layout B: mint, vault ATA, bump u8 (ephemeral token program
 * `GlobalVault`).
 */
function requireVaultOf({ vault, vaultAta, mint }: ExpectedVault, data: Uint8Array): void {
  const namesAta = data.length >= 64;
  if (isAddressAt(data, 0, mint) && (!namesAta || isAddressAt(data, 32, vaultAta))) return;
  throw new ServiceError(
    'ACCOUNT_UNREADABLE',
    `The vault ${vault.address} of mint ${mint} does not name that mint and the token account ${vaultAta}: this cluster runs a different program layout than the configured one, or its RPC returned wrong data; ask the operator to check both`,
    { vault: vault.address, mint },
  );
}

const forDepositing: OwnershipAdvice = ({ holder }) =>
  `the deposited tokens would belong to ${holder} and not to the vault. Do not deposit this mint here.`;

/** A shuttle to be created: a one-way carrier of an owner's tokens between base and rollup. */
export interface Shuttle {
  /** The id: 31 random bits, like the ids of the hosted API. */
  readonly id: number;
  readonly accounts: ShuttleAccounts;
  readonly delegation: DelegationAccounts;
}

interface ShuttleOwner {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** Derives the shuttle with this id. */
export function deriveShuttle({ owner, mint, tokenProgram }: ShuttleOwner, id: number): Shuttle {
  const metadata = deriveShuttleMetadata(owner, mint, id).address;
  const eata = deriveEata(metadata, mint).address;
  return {
    id,
    accounts: { metadata, eata, walletAta: deriveAta(metadata, mint, tokenProgram).address },
    delegation: deriveDelegationAccounts(eata, EPHEMERAL_TOKEN_PROGRAM),
  };
}

/** Draws a shuttle with a random id: 4 bytes, little-endian, without the highest bit. */
export function drawShuttle(owner: ShuttleOwner, random: Random): Shuttle {
  const id = Buffer.from(random.bytes(4)).readUInt32LE() & 0x7fff_ffff;
  return deriveShuttle(owner, id);
}

/** The accounts that decide whether a shuttle can be created: its metadata and its eATA. */
interface ShuttleState {
  readonly shuttle: Account | null;
  readonly shuttleEata: Account | null;
}

/**
 * Checks whether a shuttle is unusable: it exists already, or its eATA is delegated. Anyone can delegate an
 * eATA, because the program does not require its owner's signature.
 */
export const isShuttleTaken = ({ shuttle, shuttleEata }: ShuttleState): boolean =>
  shuttle?.owner === EPHEMERAL_TOKEN_PROGRAM || shuttleEata?.owner === DELEGATION_PROGRAM;

/** Maximum number of draws. With sound randomness, one in 2^31 draws must be repeated. */
const DRAWS_MAX = 4;

/**
 * Draws a shuttle with a free id, and reads the chain for each draw. The program treats a repeated id as a
 * repeated transaction: it charges the fee and moves nothing.
 *
 * @param read sets `shuttleTaken` if any account exists at the metadata address. Even an account with only
 *   lamports blocks it, because the program calls the system program's `CreateAccount`. The eATA and the
 *   delegation buffer need no check: a stranger would have to guess one of 2^31 ids to create them.
 */
export async function readWithFreshShuttle<State extends { readonly shuttleTaken: boolean }>(
  owner: ShuttleOwner,
  random: Random,
  read: (shuttle: Shuttle) => Promise<State>,
): Promise<{ readonly shuttle: Shuttle; readonly state: State }> {
  for (let draw = 0; draw < DRAWS_MAX; draw++) {
    const shuttle = drawShuttle(owner, random);
    const state = await read(shuttle);
    if (!state.shuttleTaken) return { shuttle, state };
  }
  throw new Error(`${DRAWS_MAX} shuttle ids in a row already exist: the random source repeats itself`);
}
