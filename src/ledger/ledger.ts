import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { Transaction } from '../solana/transaction.ts';
import type { Block, BlockPlace } from './block.ts';
import type { Simulation, TransactionRecord } from './execution.ts';
import type { LedgerListener } from './ledger-events.ts';
import type { TransactionError } from './transaction-error.ts';

/** The newest block. On this one-node ledger it is processed, confirmed and finalized at once. */
export interface Head {
  readonly slot: number;
  /** Blocks below this one: the slot, less the slots that time travel jumped over. */
  readonly blockHeight: number;
  /** base58. */
  readonly blockhash: string;
  /** The last block height at which a transaction with this blockhash is accepted: height + 150. */
  readonly lastValidBlockHeight: number;
}

/** Token accounts to look for: those of a wallet, those a delegate may spend from, or those of a mint. */
export interface TokenAccountQuery {
  /** What of theirs `address` is. */
  readonly holder: 'owner' | 'delegate' | 'mint';
  readonly address: Address;
  /** The token program whose accounts are meant. */
  readonly program: Address;
  /** Only those of this mint. */
  readonly mint?: Address;
}

/** A page of an address's history. */
export interface SignatureQuery {
  readonly address: Address;
  /** Only what landed before this signature. */
  readonly before?: string;
  /** Only what landed after this signature. */
  readonly until?: string;
  /** Most of them. */
  readonly limit: number;
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

/** How a landed transaction ended. */
export type TransactionStatus = Pick<TransactionRecord, 'slot' | 'err'>;

/**
 * What a ledger tells of itself and of the slots and blocks it went through, and nothing of what is in them:
 * the same for every reader.
 */
export interface BlockReads {
  /** The address the node goes by (getIdentity). */
  readonly identity: Address;
  /** base58 of 32 bytes, chosen when the ledger was made. */
  readonly genesisHash: string;
  /** Wall time of a slot, ms. */
  readonly slotMs: number;
  /** Slots of an epoch, as the EpochSchedule sysvar has them. */
  readonly epochSlots: number;
  /** Whether it takes transactions; it stops for good when it closes and when it cannot be written. */
  readonly isRunning: boolean;

  head(): Head;
  /** Whether a transaction with this blockhash would be accepted now: its age is at most 150 blocks. */
  isBlockhashValid(blockhash: string): boolean;
  /** The oldest slot whose transactions are all kept. */
  firstSlot(): number;
  /**
   * The last slot that is over and whose transactions are durable: its block and those before it change no
   * more.
   */
  finishedSlot(): number;
  /**
   * The newest block up to {@link finishedSlot}, which time travel may have left far behind: it can be read.
   */
  finishedHead(): BlockPlace;
  /** Up to `limit` slots in ascending order that have a block, from `from` to `to`, both included. */
  slotsWithBlocks(from: number, to: number, limit: number): readonly number[];
  /**
   * How many slots from `from` to `to`, both included, got a block, also one that is forgotten by now. The
   * slots before the ledger's first count as blocks, as they do in heights.
   */
  countBlocks(from: number, to: number): number;
  /** Transactions that ever landed, forgotten ones included. */
  transactionCount(): number;
}

/** The accounts of a ledger as they are. */
export interface AccountReads {
  getAccount(address: Address): Account | null;
  /** How many accounts there are. */
  accountCount(): number;
  /** The lamports of all accounts together. */
  totalLamports(): bigint;
  /** Every account, in no order. A view of the present: to be used up before anything else happens. */
  accounts(): Iterable<readonly [Address, Account]>;
  /** The accounts a program owns, as {@link accounts}; found by an index. */
  programAccounts(program: Address): Iterable<readonly [Address, Account]>;
  /** Initialised token accounts, as {@link accounts}; found by an index. */
  tokenAccounts(query: TokenAccountQuery): Iterable<readonly [Address, Account]>;
}

/** The transactions that landed. */
export interface HistoryReads {
  /**
   * A landed transaction by the base58 text of its first signature; durable, as all that is told of history.
   */
  getTransaction(signature: string): TransactionRecord | null;
  /** Where a landed transaction is and how it ended, as {@link getTransaction} has it, and no more of it. */
  signatureStatus(signature: string): TransactionStatus | null;
  /**
   * Landed transactions that name an address among all their keys, loaded ones included, the newest first.
   *
   * @throws {SignatureUnknown} for a `before` or `until` that is not in the history.
   */
  signaturesFor(query: SignatureQuery): readonly TransactionRecord[];
  /**
   * As {@link signaturesFor}, as of the call, to be gone through once, whenever that is: a record may be
   * decoded only when it is taken, which is most of what it costs. Null stands for one that was looked at and
   * is not told.
   */
  historyOf(query: SignatureQuery): Iterable<TransactionRecord | null>;
  /**
   * The block of a slot, as far as it is durable; null for one that is still to come, was forgotten, or that
   * time travel jumped over. After a crash the ledger goes on above every slot it may have told anybody, and
   * all slots below have blocks: nobody knows which of them were told, and the blockhashes of those that were
   * go on being good.
   */
  block(slot: number): Block | null;
}

/** How a transaction is simulated. */
export interface SimulateOptions {
  /** Whether one that is not signed well fails for that. */
  readonly verifySignatures: boolean;
  /** Whether it runs with the newest blockhash in place of its own. */
  readonly replaceBlockhash: boolean;
  /** Accounts that are like this for the run and in nothing else; those without lamports are absent. */
  readonly instead?: readonly (readonly [Address, Account])[];
}

/** How a transaction is simulated before it runs for good: as it is. */
export const PREFLIGHT: SimulateOptions = { verifySignatures: true, replaceBlockhash: false };

/**
 * Looks at what a transaction would do, at the moment it is to run for good, and throws where it is not to.
 * It changes nothing itself.
 */
export type Preflight = (simulation: Simulation) => void;

/** How a transaction is submitted. */
export interface SubmitOptions {
  /** Is given a {@link PREFLIGHT} simulation before the transaction runs; there is none when left out. */
  readonly preflight?: Preflight | null;
  /**
   * As for a simulation. Those that exist stay what they are: a transaction that would change one of them
   * fails.
   */
  readonly instead?: SimulateOptions['instead'];
}

/** All that can be asked of a ledger and leaves it as it is. */
export interface LedgerReads extends BlockReads, AccountReads, HistoryReads {
  /**
   * Runs a transaction on the current state and throws its effects away.
   *
   * @throws {TransactionRejected} when the message makes no sense or its lookup tables cannot be resolved.
   */
  simulate(transaction: Transaction, options: SimulateOptions): Simulation;

  /**
   * Tells `listener` of everything that happens from now on, in the order in which it does, once it is
   * durable, and before the one who did it hears of it. The ledger shows an event's effects before it is
   * told. Returns what ends it.
   */
  subscribe(listener: LedgerListener): () => void;
}

/** What changes a ledger. */
interface LedgerWrites {
  /**
   * Runs a transaction for good: signatures, blockhash and duplicates are checked here. Resolves once the
   * result is durable.
   *
   * @throws {TransactionRejected} as {@link LedgerReads.simulate}.
   * @throws {ServiceError} LEDGER_STOPPED once the ledger is closing.
   * @throws {Error} what `preflight` throws; nothing has run then.
   */
  submit(transaction: Transaction, options?: SubmitOptions): Promise<Submission>;

  /**
   * Moves lamports from the faucet to `owner` by a real transaction; resolves with its signature.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS when the transfer fails, INVALID_AMOUNT outside of u64,
   * FAUCET_LIMIT, LEDGER_STOPPED.
   */
  airdrop(owner: Address, lamports: bigint): Promise<string>;
  /**
   * Mints `amount` base units to the owner's ATA, creating it where missing, by a real transaction; resolves
   * with its signature.
   *
   * @throws {ServiceError} MINT_NOT_FOUND, INVALID_ARGUMENTS when the faucet is not the mint's authority or
   * minting fails, INVALID_AMOUNT outside of u64, FAUCET_LIMIT, LEDGER_STOPPED.
   */
  airdropTokens(owner: Address, mint: Address, amount: bigint): Promise<string>;

  /** Writes what is left to write and lets go of the data folder. Nothing can be submitted afterwards. */
  close(): Promise<void>;
}

/**
 * The ledger as its servers see it. One head serves every commitment. Every method first advances the ledger
 * to the slot the clock names; reads are synchronous and never see half a transaction. They throw
 * LEDGER_STOPPED once something could not be written.
 */
export interface Ledger extends LedgerReads, LedgerWrites {}

/** A signature that was to bound a page of history and is not part of it. */
export class SignatureUnknown extends Error {
  override readonly name = 'SignatureUnknown';
  readonly signature: string;

  constructor(signature: string) {
    super(`Transaction ${signature} not found`);
    this.signature = signature;
  }
}

/**
 * A transaction the ledger cannot even try: the caller's request is wrong, nothing ran, nothing was charged.
 */
export class TransactionRejected extends Error {
  override readonly name = 'TransactionRejected';
  readonly reason: TransactionError;

  constructor(reason: TransactionError) {
    super(typeof reason === 'string' ? reason : JSON.stringify(reason));
    this.reason = reason;
  }
}
