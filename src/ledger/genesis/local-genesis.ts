import {
  CONFIG_PROGRAM,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  LOCALNET_VALIDATOR,
  NATIVE_MINT,
  NOOP_PROGRAM,
  PERMISSION_PROGRAM,
  STAKE_CONFIG,
  USDC_DEVNET_MINT,
  USDC_MINT,
} from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';
import { type AccountEntry, type Genesis, mintAccount, walletAccount } from './genesis.ts';
import { readAccountDump, readProgramDump } from './local-dumps.ts';
import { programAccounts } from './program-accounts.ts';
import { stakedValidator, type ValidatorAddresses } from './staked-validator.ts';

const LAMPORTS_PER_SOL = 1_000_000_000n;
const SOL_DECIMALS = 9;

/** The rent epoch of the native mint in Agave's genesis. */
const NATIVE_MINT_RENT_EPOCH = 1n;

/**
 * The accounts of every Agave genesis in addition to its programs
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

/**
 * `ConfigKeys` without keys (compact count), then `stake::config::Config`: warm-up rate f64, slash penalty
 * u8.
 */
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
 * 500,000,000 SOL, the balance of solana-test-validator's mint account. The 1,000,000 of its faucet run out
 * in long CI runs.
 */
export const FAUCET_LAMPORTS = 500_000_000n * 1_000_000_000n;

const USDC_DECIMALS = 6;

/**
 * The programs private payments need. The other programs of the package (verifiable randomness, its oracle
 * and queues, test programs) are not used for payments.
 */
const PROGRAMS = [DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM, NOOP_PROGRAM] as const;

/** The delegation program's protocol fees vault. Settlements fail without it. */
const PROTOCOL_FEES_VAULT = '7JrkjmZPprHwtuvtuGTXp9hwfGYFAQLnLeFM52kqAgXg' as Address;

/**
 * Lamports of the public localnet validator, and its fees vault. The vault allows it to delegate and
 * commit.
 */
const PUBLIC_VALIDATOR_ACCOUNTS = [
  LOCALNET_VALIDATOR,
  'EpJnX7ueXk7fKojBymqmVuCuwyhDQsYcLVL1XMsBbvDX' as Address,
] as const;

/** A genesis whose accounts are available at once. */
export interface ReadyGenesis extends Genesis {
  accounts(faucet: Address, validator?: ValidatorAddresses): Iterable<AccountEntry>;
}

/**
 * The local chain: the real programs of private payments, wrapped SOL, a staked validator, and USDC at its
 * two well-known addresses with the faucet as mint authority. No tokens exist yet.
 *
 * The key of the public localnet validator is public: if it is admitted, anyone can settle accounts
 * that are delegated to it. Admit it only on a ledger whose rollup it runs.
 *
 * Reading the accounts throws ServiceError PROGRAM_BINARIES_MISSING if the package with the programs is not
 * installed.
 */
export function localGenesis(
  faucetLamports: bigint = FAUCET_LAMPORTS,
  { admitsPublicValidator = true }: { readonly admitsPublicValidator?: boolean } = {},
): ReadyGenesis {
  const copied = [PROTOCOL_FEES_VAULT, ...(admitsPublicValidator ? PUBLIC_VALIDATOR_ACCOUNTS : [])];
  return {
    *accounts(faucet, validator) {
      for (const program of PROGRAMS) yield* programAccounts(program, readProgramDump(program));
      for (const address of copied) yield [address, readAccountDump(address)] as const;
      yield* ledgerAccounts({ faucet, faucetLamports, validator });
    },
  };
}

/** The parties of a new ledger for payments. */
interface LedgerParties {
  readonly faucet: Address;
  readonly faucetLamports: bigint;
  readonly validator: ValidatorAddresses | undefined;
}

/** The accounts every new ledger for payments starts with, whatever its programs. */
export function* ledgerAccounts({
  faucet,
  faucetLamports,
  validator,
}: LedgerParties): Iterable<AccountEntry> {
  yield* runtimeAccounts();
  yield [USDC_MINT, mintAccount(faucet, USDC_DECIMALS)];
  yield [USDC_DEVNET_MINT, mintAccount(faucet, USDC_DECIMALS)];
  yield [faucet, walletAccount(faucetLamports)];
  if (validator !== undefined) yield* stakedValidator(validator);
}

/** An empty ledger: the accounts of every Agave genesis, and the faucet. */
export function bareGenesis(faucetLamports: bigint = FAUCET_LAMPORTS): ReadyGenesis {
  return {
    *accounts(faucet, validator) {
      yield* runtimeAccounts();
      yield [faucet, walletAccount(faucetLamports)] as const;
      if (validator !== undefined) yield* stakedValidator(validator);
    },
  };
}
