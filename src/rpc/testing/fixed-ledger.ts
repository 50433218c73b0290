import type { Simulation, TransactionRecord } from '../../ledger/execution.ts';
import type { Head, Ledger, Submission, TokenHolding } from '../../ledger/ledger.ts';
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

/** A simulation that went well and touched nothing. */
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
 * A ledger whose state is what a test puts into it, for what the real one cannot be brought to at will: exact balances,
 * errors, holdings. It executes nothing and remembers what it was asked to.
 */
export class FixedLedger implements Ledger {
  readonly identity = 'ApRFGPcBcvJVKBgzR7mPT6dSCBrAvUSBvAgPV9FX4Eaj' as Address;
  readonly genesisHash = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
  readonly accounts = new Map<string, Account>();
  readonly records = new Map<string, TransactionRecord>();
  readonly validBlockhashes = new Set<string>([FIXED_HEAD.blockhash]);
  /** Answered by largestTokenAccounts, up to the count asked for. */
  holdings: readonly TokenHolding[] = [];
  /** Answers simulate; it may throw. */
  onSimulate: (transaction: Transaction) => Simulation = () => EMPTY_SIMULATION;
  /** Answers the three ways of changing the ledger; it may throw. */
  onChange: () => void = () => {};
  /** Every call that was more than a read. */
  readonly calls: (readonly unknown[])[] = [];

  head(): Head {
    return FIXED_HEAD;
  }

  isBlockhashValid(blockhash: string): boolean {
    return this.validBlockhashes.has(blockhash);
  }

  getAccount(address: Address): Account | null {
    return this.accounts.get(address) ?? null;
  }

  largestTokenAccounts(mint: Address, tokenProgram: Address, count: number): readonly TokenHolding[] {
    this.calls.push(['largestTokenAccounts', mint, tokenProgram, count]);
    return this.holdings.slice(0, count);
  }

  simulate(
    transaction: Transaction,
    options: { readonly verifySignatures: boolean; readonly replaceBlockhash: boolean },
  ): Simulation {
    this.calls.push(['simulate', options]);
    return this.onSimulate(transaction);
  }

  async submit(transaction: Transaction): Promise<Submission> {
    this.calls.push(['submit']);
    this.onChange();
    const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
    return { signature, err: null, landed: true };
  }

  getTransaction(signature: string): TransactionRecord | null {
    return this.records.get(signature) ?? null;
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

/** What the faucet of a {@link FixedLedger} always answers. */
export const FAUCET_SIGNATURE = encodeBase58(new Uint8Array(64).fill(9));
