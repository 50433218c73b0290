import type { LedgerListener } from '../../ledger/ledger-events.ts';
import {
  type Block,
  type BlockPlace,
  type Head,
  type Ledger,
  PREFLIGHT,
  type SignatureQuery,
  type SimulateOptions,
  type Simulation,
  type Submission,
  type SubmitOptions,
  type TokenAccountQuery,
  type TransactionRecord,
  type TransactionStatus,
} from '../../ledger/ledger.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';

/** The block of every {@link FixedLedger}. */
export const FIXED_HEAD: Head = {
  slot: 4711,
  blockHeight: 4700,
  blockhash: '3nYaYYSDo6LEuvKkGy3Y3pU7bcFvbLzXyGXmXvYrK1sB',
  lastValidBlockHeight: 4850,
};

/** A successful simulation without effects. */
export const EMPTY_SIMULATION: Simulation = {
  err: null,
  fee: 5000n,
  preBalances: [],
  postBalances: [],
  preTokenBalances: [],
  postTokenBalances: [],
  innerInstructions: [],
  logs: [],
  loadedAddresses: { writable: [], readonly: [] },
  returnData: null,
  computeUnits: 150,
  loadedAccountsDataSize: 206,
  slot: FIXED_HEAD.slot,
  replacementBlockhash: null,
  accountAfter: () => null,
};

/**
 * A ledger whose state is set by the test, for states that are hard to reach with a real ledger: exact
 * balances, errors. It executes nothing and records its calls.
 */
export class FixedLedger implements Ledger {
  readonly identity = 'ApRFGPcBcvJVKBgzR7mPT6dSCBrAvUSBvAgPV9FX4Eaj' as Address;
  readonly genesisHash = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
  readonly slotMs = 400;
  readonly epochSlots: number = 432_000;
  isRunning = true;
  readonly records = new Map<string, TransactionRecord>();
  readonly blocks = new Map<number, Block>();
  /** The subscribed listeners, which only the test calls. */
  readonly listeners = new Set<LedgerListener>();
  readonly #accounts = new Map<Address, Account>();
  readonly validBlockhashes = new Set<string>([FIXED_HEAD.blockhash]);
  /** The result of finishedSlot; default the slot before the head. */
  lastFinishedSlot: number | undefined;
  /** The result of firstSlot. */
  firstKeptSlot = 0;
  /** The result of transactionCount. */
  landedCount = 0;
  /** Implements signaturesFor. May throw. */
  onSignaturesFor: (query: SignatureQuery) => readonly TransactionRecord[] = () => [];
  /** Implements simulate. May throw. */
  onSimulate: (transaction: Transaction) => Simulation = () => EMPTY_SIMULATION;
  /** Implements the three methods that change the ledger. May throw. */
  onChange: () => void = () => {};
  /** All calls except reads. */
  readonly calls: (readonly unknown[])[] = [];

  head(): Head {
    return FIXED_HEAD;
  }

  isBlockhashValid(blockhash: string): boolean {
    return this.validBlockhashes.has(blockhash);
  }

  lastHeightOf(blockhash: string): number | null {
    return this.isBlockhashValid(blockhash) ? FIXED_HEAD.lastValidBlockHeight : null;
  }

  setAccount(address: string, account: Account): void {
    this.#accounts.set(address as Address, account);
  }

  getAccount(address: Address): Account | null {
    return this.#accounts.get(address) ?? null;
  }

  accountCount(): number {
    return this.#accounts.size;
  }

  totalLamports(): bigint {
    return [...this.#accounts.values()].reduce((sum, { lamports }) => sum + lamports, 0n);
  }

  accounts(): Iterable<readonly [Address, Account]> {
    return this.#accounts;
  }

  programAccounts(program: Address): Iterable<readonly [Address, Account]> {
    return [...this.#accounts].filter(([, { owner }]) => owner === program);
  }

  tokenAccounts({
    holder,
    address,
    program,
    mint,
  }: TokenAccountQuery): Iterable<readonly [Address, Account]> {
    return [...this.programAccounts(program)].filter(([, { data }]) => {
      const token = decodeTokenAccount(data);
      return token !== null && token[holder] === address && (mint === undefined || token.mint === mint);
    });
  }

  simulate(transaction: Transaction, options: SimulateOptions): Simulation {
    this.calls.push(['simulate', options]);
    return this.onSimulate(transaction);
  }

  async submit(transaction: Transaction, { preflight = null }: SubmitOptions = {}): Promise<Submission> {
    preflight?.(this.simulate(transaction, PREFLIGHT));
    this.calls.push(['submit']);
    this.onChange();
    const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
    return { signature, err: null, landed: true };
  }

  getTransaction(signature: string): TransactionRecord | null {
    return this.records.get(signature) ?? null;
  }

  signatureStatus(signature: string): TransactionStatus | null {
    const record = this.getTransaction(signature);
    return record && { slot: record.slot, err: record.err };
  }

  historyOf(query: SignatureQuery): Iterable<TransactionRecord> {
    return this.signaturesFor(query);
  }

  signaturesFor(query: SignatureQuery): readonly TransactionRecord[] {
    this.calls.push(['signaturesFor', query]);
    return this.onSignaturesFor(query);
  }

  firstSlot(): number {
    return this.firstKeptSlot;
  }

  finishedSlot(): number {
    return this.lastFinishedSlot ?? this.head().slot - 1;
  }

  finishedHead(): BlockPlace {
    const { slot, blockHeight } = this.head();
    const finishedSlot = this.finishedSlot();
    return { slot: finishedSlot, blockHeight: blockHeight - (slot - finishedSlot) };
  }

  block(slot: number): Block | null {
    return this.blocks.get(slot) ?? null;
  }

  slotsWithBlocks(from: number, to: number, limit: number): readonly number[] {
    const within = [...this.blocks.keys()].filter((slot) => slot >= from && slot <= to);
    return within.sort((left, right) => left - right).slice(0, limit);
  }

  countBlocks(from: number, to: number): number {
    return this.slotsWithBlocks(from, to, this.blocks.size).length;
  }

  transactionCount(): number {
    return this.landedCount;
  }

  subscribe(listener: LedgerListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async airdrop(owner: Address, lamports: bigint): Promise<string> {
    this.calls.push(['airdrop', owner, lamports]);
    this.onChange();
    return FAUCET_SIGNATURE;
  }

  async airdropTokens(owner: Address, mint: Address, amount: bigint): Promise<string> {
    this.calls.push(['airdropTokens', owner, mint, amount]);
    this.onChange();
    return FAUCET_SIGNATURE;
  }

  async close(): Promise<void> {}
}

/** The signature of every airdrop of a {@link FixedLedger}. */
export const FAUCET_SIGNATURE = encodeBase58(new Uint8Array(64).fill(9));
