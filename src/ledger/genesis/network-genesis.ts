import { DELEGATION_PROGRAM, NOOP_PROGRAM } from '../../programs/addresses.ts';
import { deriveFeesVault, deriveMagicFeeVault } from '../../programs/delegation/pdas.ts';
import { FEES_VAULT_BYTES } from '../../programs/delegation/state.ts';
import { deriveRentPda } from '../../programs/ephemeral-token/pdas.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';
import { emptyProgram } from './empty-program.ts';
import type { AccountEntry } from './genesis.ts';
import { FAUCET_LAMPORTS, ledgerAccounts, type ReadyGenesis } from './local-genesis.ts';
import { programAccounts } from './program-accounts.ts';
import { walletAccount } from './wallet-account.ts';

/**
 * 1,000 SOL. Each shuttle takes 10.7 to 12.9 million lamports of it until it is closed (measured on the
 * ephemeral SPL token program, tags 24 to 26), so it is enough for 77,000 at a time.
 */
const RENT_PDA_LAMPORTS = 1_000n * 1_000_000_000n;

/** How to create a genesis of layout B. */
interface NetworkGenesisOptions {
  /** Lamports of the faucet; default 500,000,000 SOL. */
  readonly faucetLamports?: bigint;
}

/**
 * A chain of layout B: the programs of private payments that the networks run, the accounts these need on
 * base, and otherwise the accounts of the local chain. The validator is admitted when its rollup is opened.
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
      // MagicBlock's validator calls it on base with each account that it gives back.
      yield* programAccounts(NOOP_PROGRAM, emptyProgram());
      yield [deriveFeesVault().address, feesVault()];
      // A wallet without a key: the program pays rent from it as its PDA (ephemeral SPL token program, tag
      // 23).
      yield [deriveRentPda().address, walletAccount(RENT_PDA_LAMPORTS)];
      yield* ledgerAccounts({ faucet, faucetLamports, validator });
    },
  };
}

/**
 * The base accounts of layout B for the validator of an embedded rollup, besides those that admit it: the
 * vault for its fees on the rollup. Transfer queues name it in every payout (ephemeral SPL token program,
 * tags 17 and 203).
 */
export function validatorNetworkAccounts(validator: Address): AccountEntry[] {
  return [[deriveMagicFeeVault(validator).address, feesVault()]];
}

/** An empty fees vault of the delegation program: 8 zero bytes (`FeesVault`). */
function feesVault(): Account {
  return {
    lamports: rentExemptMinimum(FEES_VAULT_BYTES),
    owner: DELEGATION_PROGRAM,
    data: new Uint8Array(FEES_VAULT_BYTES),
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}
