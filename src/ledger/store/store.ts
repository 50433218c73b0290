import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TransactionRecord } from '../execution.ts';

/** What makes a ledger this one. Drawn when it is made and never changed. The seeds are secret: they are never logged. */
export interface LedgerIdentity {
  /** base58 of 32 random bytes. */
  readonly genesisHash: string;
  /** 32 bytes that all blockhashes come from. */
  readonly blockhashSeed: Uint8Array;
  /** 32-byte ed25519 seed of the key the faucet pays and mints with. */
  readonly faucetSeed: Uint8Array;
  /** 32-byte ed25519 seed of the key the node goes by. */
  readonly identitySeed: Uint8Array;
}

/** What is written at once: all of it or nothing. */
export interface Commit {
  /** Accounts that changed; those with 0 lamports are forgotten. */
  readonly accounts?: readonly (readonly [Address, Account])[];
  readonly record?: TransactionRecord;
  /** No slot above this one has been told to anybody. */
  readonly slotCeiling: number;
  /** Only in the first commit of a ledger. */
  readonly identity?: LedgerIdentity;
}

/** Where a ledger is kept. Reads are synchronous and see what has been committed. */
export interface LedgerStore {
  /** The ledger that is kept here; null when there is none yet. */
  readonly identity: LedgerIdentity | null;
  /** The slot ceiling of the last commit. */
  readonly slotCeiling: number;

  accounts(): Iterable<readonly [Address, Account]>;
  /** A landed transaction by the base58 text of its first signature. */
  record(signature: string): TransactionRecord | null;
  /** Landed transactions from `slot` on, in the order they landed. */
  recordsFrom(slot: number): Iterable<TransactionRecord>;
  /** How many transactions have landed. */
  readonly recordCount: number;

  /** Resolves when everything in `commit` will survive the end of the process and of the machine. */
  commit(commit: Commit): Promise<void>;
  /** Waits for commits under way and lets go. */
  close(): Promise<void>;
}
