import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { Transaction } from '../solana/transaction.ts';
import type { LedgerListener } from './ledger-events.ts';
import type { TransactionError } from './transaction-errors.ts';

/** A call made by a program. Indices refer to all account keys of the transaction. */
export interface InnerInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
  /** Depth of the call; 2 for a call made by a top-level instruction. */
  readonly stackHeight: number;
}

/** The calls made while one top-level instruction ran. */
export interface InnerInstructions {
  /** Index of the top-level instruction. */
  readonly index: number;
  readonly instructions: readonly InnerInstruction[];
}

/** The balance of a token account of the transaction. */
export interface TokenBalance {
  /** Index into all account keys. */
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly programId: Address;
  /** Amount, in base units. */
  readonly amount: bigint;
  readonly decimals: number;
}

/** Addresses that a v0 message loaded from lookup tables. */
export interface LoadedAddresses {
  readonly writable: readonly Address[];
  readonly readonly: readonly Address[];
}

/** The result of running a transaction, except for its accounts. Balances are in key order. */
export interface Execution {
  readonly err: TransactionError | null;
  /** Lamports charged; null if the transaction was rejected before it was charged. */
  readonly fee: bigint | null;
  /** Lamports before the run; null if the accounts were not loaded (bad signature). */
  readonly preBalances: readonly bigint[] | null;
  readonly postBalances: readonly bigint[] | null;
  readonly preTokenBalances: readonly TokenBalance[] | null;
  readonly postTokenBalances: readonly TokenBalance[] | null;
  /** The calls of each instruction that made calls. */
  readonly innerInstructions: readonly InnerInstructions[];
  readonly logs: readonly string[];
  readonly loadedAddresses: LoadedAddresses;
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null;
  readonly computeUnits: number;
  /** Total size of the loaded accounts, in bytes. Each account counts its data plus 64, as in Agave. */
  readonly loadedAccountsDataSize: number;
}

/** A run whose effects were discarded. */
export interface Simulation extends Execution {
  /** The slot the simulation ran in. */
  readonly slot: number;
  /** The blockhash that replaced the transaction's own, if requested. */
  readonly replacementBlockhash: { readonly blockhash: string; readonly lastValidBlockHeight: number } | null;
  /** Returns the account after the run; null if it would not exist. */
  accountAfter(address: Address): Account | null;
}

/** A transaction that landed, failed or not. */
export interface TransactionRecord extends Execution {
  readonly fee: bigint;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
  /** The first signature, base58. */
  readonly signature: string;
  readonly slot: number;
  /** Position of the transaction in its block. */
  readonly index: number;
  /** Time of the block, Unix seconds. */
  readonly blockTime: number;
  /** The transaction's wire bytes. */
  readonly wire: Uint8Array;
}

/** The block of one slot. */
export interface Block {
  readonly slot: number;
  readonly parentSlot: number;
  readonly blockHeight: number;
  /** The blockhash, base58. */
  readonly blockhash: string;
  /** The previous blockhash, base58. */
  readonly previousBlockhash: string;
  /** Start of the slot, Unix seconds. */
  readonly blockTime: number;
  /** The transactions in landing order. */
  readonly transactions: readonly TransactionRecord[];
}

/** The position of a block. */
export type BlockPlace = Pick<Block, 'slot' | 'blockHeight'>;

/** The newest block. On this one-node ledger it is processed, confirmed and finalized at the same time. */
export interface Head {
  readonly slot: number;
  /** Number of earlier blocks: the slot minus the slots that time travel skipped. */
  readonly blockHeight: number;
  /** The blockhash, base58. */
  readonly blockhash: string;
  /** The last block height at which a transaction with this blockhash is accepted: height + 150. */
  readonly lastValidBlockHeight: number;
}

/** A search for the token accounts of a wallet, delegate or mint. */
export interface TokenAccountQuery {
  /** The role of `address` in the accounts. */
  readonly holder: 'owner' | 'delegate' | 'mint';
  readonly address: Address;
  /** The token program that owns the accounts. */
  readonly program: Address;
  /** Limits the search to accounts of this mint. */
  readonly mint?: Address;
}

/** A page of an address's history. */
export interface SignatureQuery {
  readonly address: Address;
  /** Limits the page to transactions that landed before this signature. */
  readonly before?: string;
  /** Limits the page to transactions that landed after this signature. */
  readonly until?: string;
  /** Maximum number of transactions. */
  readonly limit: number;
}

/** The result of a submitted transaction. */
export interface Submission {
  /** The first signature, base58. */
  readonly signature: string;
  /** The error; null if the transaction succeeded. */
  readonly err: TransactionError | null;
  /** Whether the transaction is part of the ledger. Failed transactions that were charged land too. */
  readonly landed: boolean;
}

/** The slot and the error of a landed transaction. */
export type TransactionStatus = Pick<TransactionRecord, 'slot' | 'err'>;

/** Reads of the ledger's properties, slots and blocks. The results are the same for every reader. */
export interface BlockReads {
  /** The address of the node (getIdentity). */
  readonly identity: Address;
  /** The base58 text of 32 random bytes, drawn when the ledger was created. */
  readonly genesisHash: string;
  /** Duration of a slot, in ms. */
  readonly slotMs: number;
  /** Slots of an epoch, as in the EpochSchedule sysvar. */
  readonly epochSlots: number;
  /** Whether the ledger accepts transactions. It stops permanently when it closes or a write fails. */
  readonly isRunning: boolean;

  head(): Head;
  /** Whether a transaction with this blockhash would be accepted now: its age is at most 150 blocks. */
  isBlockhashValid(blockhash: string): boolean;
  /** Returns the last block height that accepts a transaction with this blockhash; null if there is none. */
  lastHeightOf(blockhash: string): number | null;
  /** Returns the oldest slot whose transactions are all stored. */
  firstSlot(): number;
  /** Returns the last slot that is over and durable. Its block and those before it no longer change. */
  finishedSlot(): number;
  /** Returns the newest block up to {@link finishedSlot}. Time travel may have skipped that slot. */
  finishedHead(): BlockPlace;
  /** Returns up to `limit` slots with a block, from `from` to `to` inclusive, in ascending order. */
  slotsWithBlocks(from: number, to: number, limit: number): readonly number[];
  /**
   * Returns the number of blocks from slot `from` to `to` inclusive, including those no longer stored. Slots
   * before the ledger's first one count as blocks, as they do in heights.
   */
  countBlocks(from: number, to: number): number;
  /** Returns the number of transactions that ever landed, including those no longer stored. */
  transactionCount(): number;
}

/** Reads of the current accounts. */
export interface AccountReads {
  getAccount(address: Address): Account | null;
  /** Returns the number of accounts. */
  accountCount(): number;
  /** Returns the total lamports of all accounts. */
  totalLamports(): bigint;
  /** Returns every account, in no particular order. Iterate before the next change. */
  accounts(): Iterable<readonly [Address, Account]>;
  /** Returns the accounts that a program owns, from an index. Iterate before the next change. */
  programAccounts(program: Address): Iterable<readonly [Address, Account]>;
  /** Returns initialized token accounts, from an index. Iterate before the next change. */
  tokenAccounts(query: TokenAccountQuery): Iterable<readonly [Address, Account]>;
}

/** Reads of landed transactions and their blocks. */
export interface HistoryReads {
  /** Finds a durable transaction by its first signature, base58. */
  getTransaction(signature: string): TransactionRecord | null;
  /** Returns the slot and error of a landed transaction; null if there is no such transaction. */
  signatureStatus(signature: string): TransactionStatus | null;
  /**
   * Returns landed transactions with an address among their keys, including loaded ones, newest first.
   *
   * @throws {SignatureUnknown} for a `before` or `until` that is not in the history.
   */
  signaturesFor(query: SignatureQuery): readonly TransactionRecord[];
  /**
   * Returns the records of {@link signaturesFor} as of the call. Iterate once, at any time. Records may be
   * decoded lazily, which is most of their cost. Null stands for a record that the reader may not see.
   */
  historyOf(query: SignatureQuery): Iterable<TransactionRecord | null>;
  /**
   * Returns the block of a slot, with its durable transactions. Returns null for a slot that is in the
   * future, is no longer stored, or was skipped by time travel. After a crash the ledger resumes above every
   * slot that clients may have seen. All slots below have blocks, because the blockhashes that clients have
   * seen stay valid.
   */
  block(slot: number): Block | null;
}

/** Options for a simulation. */
export interface SimulateOptions {
  /** Whether invalid signatures fail the simulation. */
  readonly verifySignatures: boolean;
  /** Whether the newest blockhash replaces the transaction's own. */
  readonly replaceBlockhash: boolean;
  /** Accounts that replace the ledger's during the run. An account with 0 lamports is absent. */
  readonly instead?: readonly (readonly [Address, Account])[];
}

/** Options for the simulation before a submission. */
export const PREFLIGHT: SimulateOptions = { verifySignatures: true, replaceBlockhash: false };

/** A function that is called with the simulation of a transaction before it runs, and throws to reject it. */
export type Preflight = (simulation: Simulation) => void;

/** Options for a submission. */
export interface SubmitOptions {
  /** Function to call with a {@link PREFLIGHT} simulation before the run; default no simulation. */
  readonly preflight?: Preflight | null;
  /** Accounts that replace the ledger's in the run. The transaction fails if it changes an existing one. */
  readonly instead?: SimulateOptions['instead'];
}

/** All read operations of a ledger. */
export interface LedgerReads extends BlockReads, AccountReads, HistoryReads {
  /**
   * Runs a transaction on the current state and discards its effects.
   *
   * @throws {TransactionRejected} if the message is malformed or its lookup tables cannot be resolved.
   */
  simulate(transaction: Transaction, options: SimulateOptions): Simulation;

  /**
   * Sends later events to `listener`, in order. An event is sent once it is durable, before its submission
   * resolves. Its effects can be read earlier. Returns a function that unsubscribes.
   */
  subscribe(listener: LedgerListener): () => void;
}

interface LedgerWrites {
  /**
   * Runs a transaction and applies its effects. Checks signatures, blockhash and duplicates. Resolves once
   * the result is durable.
   *
   * @throws {TransactionRejected} as in {@link LedgerReads.simulate}.
   * @throws {ServiceError} LEDGER_STOPPED once the ledger is closing.
   * @throws {Error} the error of `preflight`; the transaction has not run then.
   */
  submit(transaction: Transaction, options?: SubmitOptions): Promise<Submission>;

  /**
   * Transfers lamports from the faucet to `owner`. Resolves with the signature of the transaction.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS if the transfer fails, INVALID_AMOUNT outside u64, FAUCET_LIMIT,
   *   LEDGER_STOPPED.
   */
  airdrop(owner: Address, lamports: bigint): Promise<string>;
  /**
   * Mints `amount` base units to the owner's ATA, which is created if missing. Resolves with the signature of
   * the transaction.
   *
   * @throws {ServiceError} MINT_NOT_FOUND, INVALID_ARGUMENTS if the faucet is not the mint's authority or
   *   minting fails, INVALID_AMOUNT outside u64, FAUCET_LIMIT, LEDGER_STOPPED.
   */
  airdropTokens(owner: Address, mint: Address, amount: bigint): Promise<string>;

  /** Waits for pending writes and closes the store. Later submissions fail. */
  close(): Promise<void>;
}

/**
 * A ledger as used by its servers. All commitment levels have the same head. Every method first advances the
 * ledger to the current slot of the clock. Reads are synchronous, never see part of a transaction, and throw
 * LEDGER_STOPPED after a failed write.
 */
export interface Ledger extends LedgerReads, LedgerWrites {}

/** A `before` or `until` signature that is not in the history. */
export class SignatureUnknown extends Error {
  override readonly name = 'SignatureUnknown';
  readonly signature: string;

  constructor(signature: string) {
    super(`Transaction ${signature} not found`);
    this.signature = signature;
  }
}

/** A malformed transaction, which the ledger cannot run. Nothing was charged. */
export class TransactionRejected extends Error {
  override readonly name = 'TransactionRejected';
  readonly reason: TransactionError;

  constructor(reason: TransactionError) {
    super(typeof reason === 'string' ? reason : JSON.stringify(reason));
    this.reason = reason;
  }
}

/** Operations for the operator of a ledger. None of them is a transaction. */
export interface LedgerOperator {
  /**
   * Sets accounts. An account with 0 lamports is removed. ProgramData must come before its program. The
   * accounts are visible when the call returns. The promise resolves once they are durable.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS, with nothing changed, for sysvars, programs that would no
   *   longer be programs, programs without ProgramData, and accounts beyond Solana's limits.
   *   INVALID_ARGUMENTS for a program whose code does not load: the accounts before it are set. LEDGER_FULL,
   *   with nothing changed, if the total data would exceed its limit. LEDGER_STOPPED.
   */
  setAccounts(entries: readonly (readonly [Address, Account])[]): Promise<void>;
  /**
   * Jumps to a later slot. The slots in between have no block. The ledger's time continues from `unixMs`, and
   * by default advances as if the slots had passed. Limits counted in blocks do not change, as on a validator
   * that warps: a blockhash is valid for 150 blocks, regardless of slots. Slots do not advance until the jump
   * is durable. It is then visible, and the promise resolves.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS for a slot or time that is not later, LEDGER_STOPPED.
   */
  travelTo(target: { readonly slot: number; readonly unixMs?: number }): Promise<void>;
  /** Stops slots until {@link resumeClock} is called or the ledger is closed. The pause is not stored. */
  pauseClock(): void;
  /**
   * Lets slots advance again from where they stopped. The ledger's time has continued in the meantime.
   * Resolves once the change is durable.
   *
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  resumeClock(): Promise<void>;
  readonly isClockPaused: boolean;
  /**
   * Replaces the ledger with a new one, at the first slot and with a new genesis hash. The keys of the node
   * and of its faucet stay the same. Transactions are rejected during the reset. Listeners receive an event
   * with every account that differs.
   *
   * @throws {ServiceError} LEDGER_STOPPED, even during another reset, or an error from the genesis. Nothing
   *   has changed then.
   */
  resetLedger(): Promise<void>;
  /**
   * Reads the accounts that a new ledger with this faucet would have, by address.
   *
   * @throws {ServiceError} an error from the genesis.
   */
  genesisAccounts(): Promise<ReadonlyMap<Address, Account>>;
}
