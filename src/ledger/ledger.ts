import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { Transaction } from '../solana/transaction.ts';
import type { Simulation, TransactionRecord } from './execution.ts';
import type { TransactionError } from './transaction-error.ts';

/** The newest block. On this one-node ledger it is processed, confirmed and finalized at once. */
export interface Head {
  readonly slot: number;
  /** Every slot has a block, so this equals the slot. */
  readonly blockHeight: number;
  /** base58. */
  readonly blockhash: string;
  /** The last block height at which a transaction with this blockhash is accepted: height + 150. */
  readonly lastValidBlockHeight: number;
}

/** A token account of a mint with its amount in base units. */
export interface TokenHolding {
  readonly address: Address;
  readonly amount: bigint;
}

/** What came of a transaction that was handed in. */
export interface Submission {
  /** base58 of the first signature. */
  readonly signature: string;
  /** Null when it landed without error. */
  readonly err: TransactionError | null;
  /** Whether it is part of the ledger now: failed transactions that were charged land as well. */
  readonly landed: boolean;
}

/**
 * The ledger as its faces see it. One head serves every commitment. Every method first advances the ledger to the slot
 * the clock names; reads are synchronous and never see half a transaction.
 */
export interface Ledger {
  /** The address the node goes by (getIdentity). */
  readonly identity: Address;
  /** base58 of 32 bytes, chosen when the ledger was made. */
  readonly genesisHash: string;

  head(): Head;
  /** Whether a transaction with this blockhash would be accepted now: its age is at most 150 blocks. */
  isBlockhashValid(blockhash: string): boolean;

  getAccount(address: Address): Account | null;
  /**
   * The up to `count` accounts of a mint that hold most, by amount and then by address bytes, both descending.
   * Frozen and empty accounts count, uninitialised ones do not. `tokenProgram` is the owner of the mint.
   */
  largestTokenAccounts(mint: Address, tokenProgram: Address, count: number): readonly TokenHolding[];

  /**
   * Runs a transaction on the current state and throws its effects away.
   *
   * @throws {TransactionRejected} when the message makes no sense or its lookup tables cannot be resolved.
   */
  simulate(
    transaction: Transaction,
    options: { readonly verifySignatures: boolean; readonly replaceBlockhash: boolean },
  ): Simulation;

  /**
   * Runs a transaction for good: signatures, blockhash and duplicates are checked here. Resolves once the result is
   * durable.
   *
   * @throws {TransactionRejected} as {@link simulate}.
   * @throws {ServiceError} LEDGER_STOPPED once the ledger is closing.
   */
  submit(transaction: Transaction): Promise<Submission>;

  /** A landed transaction by the base58 text of its first signature. */
  getTransaction(signature: string): TransactionRecord | null;

  /**
   * Moves lamports from the faucet to `owner` by a real transaction; resolves with its signature.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS when the transfer fails, INVALID_AMOUNT outside of u64, LEDGER_STOPPED.
   */
  airdrop(owner: Address, lamports: bigint): Promise<string>;
  /**
   * Mints `amount` base units to the owner's ATA, creating it where missing, by a real transaction; resolves with its
   * signature.
   *
   * @throws {ServiceError} MINT_NOT_FOUND, INVALID_ARGUMENTS when the faucet is not the mint's authority or minting
   * fails, INVALID_AMOUNT outside of u64, LEDGER_STOPPED.
   */
  airdropTokens(owner: Address, mint: Address, amount: bigint): Promise<string>;

  /** Writes what is left to write and lets go of the data folder. Nothing can be submitted afterwards. */
  close(): Promise<void>;
}

/** A transaction the ledger cannot even try: the caller's request is wrong, nothing ran, nothing was charged. */
export class TransactionRejected extends Error {
  override readonly name = 'TransactionRejected';
  readonly reason: TransactionError;

  constructor(reason: TransactionError) {
    super(typeof reason === 'string' ? reason : JSON.stringify(reason));
    this.reason = reason;
  }
}
