import {
  CONFIG_PROGRAM,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  LOCALNET_VALIDATOR,
  NATIVE_MINT,
  NOOP_PROGRAM,
  PERMISSION_PROGRAM,
  STAKE_CONFIG,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
  VOTE_PROGRAM,
} from '../../programs/addresses.ts';
import {
  deriveFeesVault,
  deriveMagicFeeVault,
  deriveValidatorFeesVault,
} from '../../programs/delegation/pdas.ts';
import { FEES_VAULT_BYTES } from '../../programs/delegation/state.ts';
import { deriveRentPda } from '../../programs/ephemeral-token/pdas.ts';
import { MINT_BYTES } from '../../programs/token/state.ts';
import { type Account, type Rent, RENT_EXEMPT_EPOCH, rentExemptMinimum } from '../../solana/account.ts';
import { type Address, addressBytes, writeAddress } from '../../solana/address.ts';
import { Keypair, nodeSecret } from '../keypair.ts';
import { readProgramDump } from './dumps.ts';
import { programAccounts } from './program-accounts.ts';

/** An account and its address. */
export type AccountEntry = readonly [Address, Account];

/** The initial state of a new ledger, in addition to the accounts built into the engine. */
export interface Genesis {
  /**
   * Returns the accounts, ProgramData before programs. It is called when a ledger is created or reset, and
   * may be slow, because accounts can come from a cluster.
   *
   * @param faucet the address of the ledger's faucet key.
   * @param validator the addresses of its validator. Without them there is no stake.
   */
  accounts(
    faucet: Address,
    validator?: ValidatorAddresses,
  ): Iterable<AccountEntry> | Promise<Iterable<AccountEntry>>;
  /** Returns the first slot; null for the default. It is called after `accounts`. */
  firstSlot?(): Promise<number | null>;
}

/**
 * Keeps rent-exempt accounts exempt on a ledger whose rent is higher than a test validator's. Accounts that
 * are not exempt cannot receive payments (Agave `RentState::transition_allowed`).
 */
export function exemptAccounts(entries: readonly AccountEntry[], rent: Rent): AccountEntry[] {
  return entries.map(([address, account]) => {
    const { lamports, data } = account;
    const minimum = rent.minimum(data.length);
    const isShort = lamports >= rentExemptMinimum(data.length) && lamports < minimum;
    return [address, isShort ? { ...account, lamports: minimum } : account];
  });
}

/**
 * Creates an SPL Token mint without supply or freeze authority (`Mint`: COption u32 + mint authority 32,
 * supply u64, decimals u8, initialized u8, COption u32 + freeze authority 32).
 *
 * @param authority the mint authority; null for a fixed supply.
 */
export function mintAccount(authority: Address | null, decimals: number): Account {
  const data = new Uint8Array(MINT_BYTES);
  if (authority !== null) {
    data[0] = 1;
    data.set(addressBytes(authority), 4);
  }
  data[44] = decimals;
  data[45] = 1;
  return {
    lamports: rentExemptMinimum(data.length),
    owner: TOKEN_PROGRAM,
    data,
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

/** Creates an account of the system program with only lamports. */
export function walletAccount(lamports: bigint): Account {
  return {
    lamports,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(0),
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

const LAMPORTS_PER_SOL = 1_000_000_000n;
const SOL_DECIMALS = 9;

/** The rent epoch of the native mint in Agave's genesis. */
const NATIVE_MINT_RENT_EPOCH = 1n;

/**
 * Returns the accounts of every Agave genesis in addition to its programs
 * (`create_genesis_config_with_leader_ex_no_features`).
 */
function runtimeAccounts(): AccountEntry[] {
  const nativeMint = {
    ...mintAccount(null, SOL_DECIMALS),
    lamports: LAMPORTS_PER_SOL,
    rentEpoch: NATIVE_MINT_RENT_EPOCH,
  };
  return [
    [NATIVE_MINT, nativeMint],
    [STAKE_CONFIG, stakeConfig()],
  ];
}

/** Encodes `ConfigKeys` without keys (compact count), then `Config`: warm-up rate f64, slash penalty u8. */
function stakeConfig(): Account {
  const data = Buffer.alloc(1 + 8 + 1);
  data.writeDoubleLE(0.25, 1);
  data.writeUInt8(12, 9);
  return {
    lamports: rentExemptMinimum(data.length),
    owner: CONFIG_PROGRAM,
    data: new Uint8Array(data),
    executable: false,
    rentEpoch: 0n,
  };
}

/**
 * 500,000,000 SOL, like the mint account of solana-test-validator. The 1,000,000 SOL in that validator's
 * faucet run out in long CI runs.
 */
export const FAUCET_LAMPORTS = 500_000_000n * 1_000_000_000n;

const USDC_DECIMALS = 6;

/** The programs that payments use. The package also has programs for verifiable randomness and tests. */
const PROGRAMS = [DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM, NOOP_PROGRAM] as const;

/**
 * Returns the protocol fees vault of the delegation program, as on the base ledger of MagicBlock's validator.
 * Settlements fail without it.
 */
const protocolAccounts = (): AccountEntry[] => [[deriveFeesVault().address, feesVault(6_588_987_639n)]];

/** Returns the public localnet validator with its fees vault, which allows it to delegate and commit. */
const publicValidatorAccounts = (): AccountEntry[] => [
  [LOCALNET_VALIDATOR, walletAccount(10_107_081_258n)],
  [deriveValidatorFeesVault(LOCALNET_VALIDATOR).address, feesVault(8_148_000n)],
];

interface ReadyGenesis extends Genesis {
  accounts(faucet: Address, validator?: ValidatorAddresses): Iterable<AccountEntry>;
}

/**
 * Creates the local chain: the real programs of private payments, wrapped SOL, a staked validator, and USDC
 * at its two well-known addresses with the faucet as mint authority. No tokens exist yet.
 *
 * The secret key of the public localnet validator is known to everyone. If it is admitted, anyone can settle
 * accounts that are delegated to it. Admit it only on a ledger whose rollup it runs.
 *
 * Reading the accounts throws ServiceError PROGRAM_BINARIES_MISSING if the programs are neither installed nor
 * cached.
 */
export function localGenesis(
  faucetLamports: bigint = FAUCET_LAMPORTS,
  { admitsPublicValidator = true }: { readonly admitsPublicValidator?: boolean } = {},
): ReadyGenesis {
  return {
    *accounts(faucet, validator) {
      for (const program of PROGRAMS) yield* programAccounts(program, readProgramDump(program));
      yield* protocolAccounts();
      if (admitsPublicValidator) yield* publicValidatorAccounts();
      yield* ledgerAccounts({ faucet, faucetLamports, validator });
    },
  };
}

interface LedgerParties {
  readonly faucet: Address;
  readonly faucetLamports: bigint;
  readonly validator: ValidatorAddresses | undefined;
}

/** Yields the accounts of every new ledger for payments, except its programs. */
function* ledgerAccounts({ faucet, faucetLamports, validator }: LedgerParties): Iterable<AccountEntry> {
  yield* runtimeAccounts();
  yield [USDC_MINT, mintAccount(faucet, USDC_DECIMALS)];
  yield [USDC_DEVNET_MINT, mintAccount(faucet, USDC_DECIMALS)];
  yield [faucet, walletAccount(faucetLamports)];
  if (validator !== undefined) yield* stakedValidator(validator);
}

/** Creates an empty ledger: the accounts of every Agave genesis, and the faucet. */
export function bareGenesis(faucetLamports: bigint = FAUCET_LAMPORTS): ReadyGenesis {
  return {
    *accounts(faucet, validator) {
      yield* runtimeAccounts();
      yield [faucet, walletAccount(faucetLamports)] as const;
      if (validator !== undefined) yield* stakedValidator(validator);
    },
  };
}

/** Lamports of the validator's identity, and of its vote and stake accounts (`TestValidator`). */
const IDENTITY_LAMPORTS = 500n * LAMPORTS_PER_SOL;
const STAKED_LAMPORTS = 1_000_000n * LAMPORTS_PER_SOL;

/** Sizes of vote and stake accounts, in bytes (`VoteStateV4::size_of`, `StakeStateV2::size_of`). */
const VOTE_BYTES = 3_762;
const STAKE_BYTES = 200;
const LOCKUP_BYTES = 8 + 8 + 32;

/** Tags of `VoteStateVersions` and `StakeStateV2`: version 4, and delegated. */
const VOTE_V4 = 3;
const DELEGATED = 2;

const ALL_BPS = 10_000;

/** The epoch u64::MAX. As an activation epoch it marks genesis stake, which is active from the start. */
const NEVER = 0xffff_ffff_ffff_ffffn;

/** Warm-up rate of a delegation (`DEFAULT_WARMUP_COOLDOWN_RATE`). It is deprecated and no longer read. */
const WARM_UP_RATE = 0.25;

/** The accounts of the ledger's only validator. */
export interface ValidatorAddresses {
  readonly identity: Address;
  readonly vote: Address;
  readonly stake: Address;
}

/** Returns the validator addresses of the node with this secret. */
export function validatorAddresses(identitySeed: Uint8Array): ValidatorAddresses {
  const addressFor = (purpose: string): Address => new Keypair(nodeSecret(identitySeed, purpose)).address;
  return {
    identity: new Keypair(identitySeed).address,
    vote: addressFor('vote account'),
    stake: addressFor('stake account'),
  };
}

/** Yields the accounts of a funded validator, its vote account and its stake, as on a test validator. */
export function* stakedValidator({ identity, vote, stake }: ValidatorAddresses): Iterable<AccountEntry> {
  yield [identity, walletAccount(IDENTITY_LAMPORTS)];
  yield [vote, holding(VOTE_PROGRAM, voteState(identity, vote))];
  yield [stake, holding(STAKE_PROGRAM, stakeState(stake, vote))];
}

function holding(owner: Address, data: Uint8Array): Account {
  return { lamports: STAKED_LAMPORTS, owner, data, executable: false, rentEpoch: RENT_EXEMPT_EPOCH };
}

/**
 * Encodes `VoteStateV4`: node, withdrawer, collectors of inflation and block rewards 32 each, their
 * commissions u16, pending rewards u64, Option of a BLS key, votes (none), Option of the root, voters by
 * epoch, credits (none), timestamp 16.
 */
function voteState(identity: Address, vote: Address): Uint8Array {
  const data = Buffer.alloc(VOTE_BYTES);
  let at = putAddresses(data, data.writeUInt32LE(VOTE_V4), identity, vote, vote, identity);
  // The validator takes no commission on inflation rewards and all block rewards.
  at = data.writeUInt16LE(ALL_BPS, at + 2);
  at += 8 + 1 + 8 + 1;
  // One authorized voter, from epoch 0 on.
  at = data.writeBigUInt64LE(1n, at) + 8;
  putAddresses(data, at, vote);
  return new Uint8Array(data);
}

/**
 * Encodes `StakeStateV2::Stake`: reserve u64, staker and withdrawer 32 each, lockup 48 (none), voter 32,
 * stake u64, epochs of activation and deactivation u64, rate f64, credits observed u64, flags u8. The
 * account's own key is the authority.
 */
function stakeState(stake: Address, vote: Address): Uint8Array {
  const data = Buffer.alloc(STAKE_BYTES);
  const reserve = rentExemptMinimum(STAKE_BYTES);
  let at = data.writeUInt32LE(DELEGATED);
  at = data.writeBigUInt64LE(reserve, at);
  at = putAddresses(data, at, stake, stake) + LOCKUP_BYTES;
  at = putAddresses(data, at, vote);
  at = data.writeBigUInt64LE(STAKED_LAMPORTS - reserve, at);
  at = data.writeBigUInt64LE(NEVER, at);
  at = data.writeBigUInt64LE(NEVER, at);
  data.writeDoubleLE(WARM_UP_RATE, at);
  return new Uint8Array(data);
}

function putAddresses(data: Buffer, at: number, ...addresses: readonly Address[]): number {
  for (const [index, address] of addresses.entries()) writeAddress(data, at + index * 32, address);
  return at + addresses.length * 32;
}

/**
 * 1,000 SOL, enough for 77,000 open shuttles. Each uses 10.7 to 12.9 million lamports (measured on the
 * ephemeral SPL token program, tags 24 to 26).
 */
const RENT_PDA_LAMPORTS = 1_000n * 1_000_000_000n;

interface NetworkGenesisOptions {
  /** Lamports of the faucet; default 500,000,000 SOL. */
  readonly faucetLamports?: bigint;
}

/**
 * Creates a chain of layout B: the private payment programs that the networks run, their accounts on base,
 * and the other accounts of the local chain. The validator is admitted when its rollup is opened.
 *
 * @param programs the code (ELF) of each program, by address.
 */
export function networkProgramsGenesis(
  programs: ReadonlyMap<Address, Uint8Array>,
  { faucetLamports = FAUCET_LAMPORTS }: NetworkGenesisOptions = {},
): ReadyGenesis {
  return {
    *accounts(faucet, validator) {
      for (const [program, code] of programs) yield* programAccounts(program, code);
      // MagicBlock's validator calls this program on base for each account that it undelegates.
      yield* programAccounts(NOOP_PROGRAM, emptyProgram());
      yield [deriveFeesVault().address, feesVault()];
      // A PDA wallet from which the program pays rent (ephemeral SPL token program, tag 23).
      yield [deriveRentPda().address, walletAccount(RENT_PDA_LAMPORTS)];
      yield* ledgerAccounts({ faucet, faucetLamports, validator });
    },
  };
}

/**
 * Creates the additional base account of an embedded rollup's validator with layout B: the vault for its fees
 * on the rollup. Transfer queues name it in every payout (ephemeral SPL token program, tags 17 and 203).
 */
export function validatorNetworkAccounts(validator: Address): AccountEntry[] {
  return [[deriveMagicFeeVault(validator).address, feesVault()]];
}

/** Creates an empty fees vault of the delegation program: 8 zero bytes (`FeesVault`). */
function feesVault(lamports = rentExemptMinimum(FEES_VAULT_BYTES)): Account {
  return {
    lamports,
    owner: DELEGATION_PROGRAM,
    data: new Uint8Array(FEES_VAULT_BYTES),
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

const EMPTY_PROGRAM = [
  // Header: 64 bits, little endian, shared object for BPF (247), entry point at the code.
  '7f454c460201010000000000000000000300f7000100000078000000000000004000000000000000a000000000000000',
  '00000000400038000100400003000200',
  // One loadable segment: readable and executable.
  '010000000500000078000000000000007800000000000000780000000000000010000000000000001000000000000000',
  '0010000000000000',
  // The code (sBPF version 0): r0 = 0; exit.
  'b7000000000000009500000000000000',
  // The names .text and .shstrtab.
  '002e74657874002e73687374727461620000000000000000',
  // Sections: an empty one, .text, .shstrtab.
  '000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000',
  '000000000000000000000000000000000100000001000000060000000000000078000000000000007800000000000000',
  '100000000000000000000000000000000800000000000000000000000000000007000000030000000000000000000000',
  '000000000000000088000000000000001100000000000000000000000000000001000000000000000000000000000000',
].join('');

/**
 * Creates a program that accepts every call and does nothing, as an ELF file that Solana's loaders accept
 * (ELF-64 object file format, with the versions and flags that `solana-sbpf` checks).
 */
export const emptyProgram = (): Uint8Array => new Uint8Array(Buffer.from(EMPTY_PROGRAM, 'hex'));
