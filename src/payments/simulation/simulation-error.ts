import type { Layout } from '../../chain/chain.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { SimulationSummary } from './with-simulation.ts';

/** Error of a failed transaction. `name` is Solana's name for it, or `Custom` for a program's own code. */
type SimulationError = NonNullable<SimulationSummary['error']>;

/** Plain words for the variants of `TransactionError` that a well-formed payment can cause (Agave). */
const TRANSACTION_WORDS: Readonly<Record<string, string>> = {
  AccountNotFound: 'the fee payer does not exist on this ledger: it has no lamports',
  ProgramAccountNotFound: 'a program that is called does not exist on this ledger',
  InsufficientFundsForFee: 'the fee payer has too few lamports for the fee',
  InvalidAccountForFee:
    'the fee payer is not an ordinary wallet, or would pay lamports on a rollup where it is not delegated',
  AlreadyProcessed: 'this exact transaction has already landed',
  BlockhashNotFound: 'the blockhash is unknown or too old: build the transaction again',
  SignatureFailure: 'a signature does not match the transaction',
  SanitizeFailure: 'the transaction is malformed',
  AddressLookupTableNotFound: 'a lookup table does not exist on this ledger',
  InsufficientFundsForRent: 'an account would be left with fewer lamports than its rent',
  InvalidRentPayingAccount: 'an account would be left with fewer lamports than its rent',
  InvalidWritableAccount:
    'an account is not writable here: on a rollup it must be delegated to its validator, and a payer must deposit first',
};

/** Plain words for the variants of `InstructionError` that the programs of a payment return (Agave). */
const INSTRUCTION_WORDS: Readonly<Record<string, string>> = {
  InvalidAccountData: 'an account does not contain the expected data: it may be missing',
  InvalidArgument: 'an argument was rejected: the balance may be too low',
  InvalidSeeds: 'an account is not the one that is derived for its owner',
  InvalidInstructionData: 'the instruction data is invalid',
  InsufficientFunds: 'there are too few lamports',
  MissingRequiredSignature: 'a signature is missing',
  IllegalOwner: 'an account belongs to another program: it may still be delegated',
  IncorrectAuthority: 'the signer has no authority over the account',
  InvalidAccountOwner: 'an account belongs to an unexpected program',
  ExternalAccountDataModified: 'an account belongs to another program: it may already be delegated',
  UninitializedAccount: 'an account does not exist yet',
  AccountAlreadyInitialized: 'an account already exists',
  UnsupportedProgramId: 'a program that is called does not exist on this ledger',
  IncorrectProgramId: 'an account belongs to an unexpected program',
  ComputationalBudgetExceeded: 'the transaction ran out of compute units',
};

type Codes = Readonly<Record<number, string>>;

/** Errors of the system program by code (`SystemError`). */
const SYSTEM_CODES: Codes = {
  0: 'an account to be created already exists',
  1: 'there are too few lamports',
};

/** Errors of SPL Token by code (`TokenError`). */
const TOKEN_CODES: Codes = {
  0: 'a token account would be left with fewer lamports than its rent',
  1: 'there are too few tokens',
  2: 'the mint is not valid',
  3: 'the token account belongs to another mint',
  4: 'the token account belongs to someone else',
  6: 'the account is already in use',
  9: 'the account is not initialized',
  10: 'wrapped SOL cannot do this',
  11: 'the account still holds tokens',
  14: 'the amount is too large',
  17: 'the token account is frozen',
  18: 'the mint has different decimals',
};

/** Ephemeral SPL token program: the January 2026 version (a) and the version since May 2026 (b). */
const EPHEMERAL_TOKEN_CODES: Readonly<Record<Layout, Codes>> = {
  a: {
    0: 'the program does not know the instruction',
    1: 'the account is already in use',
    2: 'eATA, vault, mint and owner do not belong together',
  },
  b: {
    1: 'the program does not know the instruction',
    2: 'the account is already in use',
    3: 'the eATA does not belong to the owner and mint',
    4: 'the mint is a different one',
    5: "the vault's token account is a different one",
    6: 'there are too many accounts',
    7: 'the eATA is delegated to another validator',
  },
};

const DELEGATION_CODES: Codes = {
  1: 'the account cannot be undelegated yet',
  12: 'the commit is not the next one',
  19: 'a commit has not been finalized yet',
};

function codesOf(program: string, layout: Layout): Codes {
  switch (program) {
    case SYSTEM_PROGRAM:
      return SYSTEM_CODES;
    case TOKEN_PROGRAM:
    case TOKEN_2022_PROGRAM:
    case ASSOCIATED_TOKEN_PROGRAM:
      return TOKEN_CODES;
    case EPHEMERAL_TOKEN_PROGRAM:
      return EPHEMERAL_TOKEN_CODES[layout];
    case DELEGATION_PROGRAM:
      return DELEGATION_CODES;
    default:
      return {};
  }
}

interface FailedRun {
  /** Solana's TransactionError as JSON. */
  readonly err: unknown;
  readonly logs: readonly string[];
  readonly programs: readonly Address[];
  readonly layout: Layout;
}

/** Describes the error in plain words. The message for an unknown error is its name. */
export function describeSimulationError(run: FailedRun): SimulationError {
  const { name, detail } = variantOf(run.err);
  if (name === 'InstructionError' && Array.isArray(detail)) return describeInstructionError(run, detail);
  return { name, message: sentence(TRANSACTION_WORDS[name] ?? `the ledger returned ${name}`) };
}

function describeInstructionError(run: FailedRun, [index, cause]: readonly unknown[]): SimulationError {
  const instruction = Number(index);
  const { name, detail } = variantOf(cause);
  const program = failedProgram(run.logs) ?? run.programs[instruction];
  const where = { instruction, ...(program === undefined ? {} : { program }) };
  const words =
    name === 'Custom'
      ? (codesOf(program ?? '', run.layout)[Number(detail)] ?? `the program returned error ${String(detail)}`)
      : (INSTRUCTION_WORDS[name] ?? `the ledger returned ${name}`);
  const message = sentence(`instruction ${instruction} fails: ${words}`);
  return { name, message, ...where, ...(name === 'Custom' ? { code: Number(detail) } : {}) };
}

/** Parses a variant of a JSON enum: a name, or an object with one member. */
function variantOf(error: unknown): { readonly name: string; readonly detail: unknown } {
  if (typeof error === 'string') return { name: error, detail: null };
  const [entry] = Object.entries((error ?? {}) as object);
  return entry === undefined ? { name: 'Unknown', detail: null } : { name: entry[0], detail: entry[1] };
}

/** Returns the first program logged as failed. It is the innermost; its callers only pass the error on. */
function failedProgram(logs: readonly string[]): string | undefined {
  for (const line of logs) {
    const match = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: /.exec(line);
    if (match !== null) return match[1];
  }
  return undefined;
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
