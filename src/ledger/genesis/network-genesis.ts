import { DELEGATION_PROGRAM, NOOP_PROGRAM } from '../../programs/addresses.ts';
import { deriveFeesVault, deriveMagicFeeVault } from '../../programs/delegation/pdas.ts';
import { FEES_VAULT_BYTES } from '../../programs/delegation/state.ts';
import { deriveRentPda } from '../../programs/ephemeral-token/pdas.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';
import { type AccountEntry, walletAccount } from './genesis.ts';
import { FAUCET_LAMPORTS, ledgerAccounts, type ReadyGenesis } from './local-genesis.ts';
import { programAccounts } from './program-accounts.ts';

/**
 * 1,000 SOL. Each open shuttle uses 10.7 to 12.9 million lamports of it (measured on the ephemeral SPL token
 * program, tags 24 to 26), so it is enough for 77,000 at a time.
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
      // MagicBlock's validator calls it on base for each account that it undelegates.
      yield* programAccounts(NOOP_PROGRAM, emptyProgram());
      yield [deriveFeesVault().address, feesVault()];
      // A wallet without a key: the program pays rent from it (ephemeral SPL token program, tag 23).
      yield [deriveRentPda().address, walletAccount(RENT_PDA_LAMPORTS)];
      yield* ledgerAccounts({ faucet, faucetLamports, validator });
    },
  };
}

/**
 * The base accounts of layout B for the validator of an embedded rollup, in addition to those that admit it:
 * the vault for its fees on the rollup. Transfer queues name it in every payout (ephemeral SPL token program,
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
 * A program that accepts every call and does nothing, as an ELF file that Solana's loaders accept (ELF-64
 * object file format, with the versions and flags that `solana-sbpf` checks).
 */
export const emptyProgram = (): Uint8Array => new Uint8Array(Buffer.from(EMPTY_PROGRAM, 'hex'));
