import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { Transaction } from '../solana/transaction.ts';
import type {
  Block,
  BlockPlace,
  BlockReads,
  Head,
  LedgerReads,
  SignatureQuery,
  SimulateOptions,
  Simulation,
  TokenAccountQuery,
  TransactionRecord,
  TransactionStatus,
} from './ledger.ts';

/**
 * Forwards the reads of slots and blocks to another ledger. Subclasses implement the reads of accounts and
 * transactions, because they may hide some.
 */
export abstract class ForwardedBlocks<Source extends BlockReads> implements BlockReads {
  protected readonly ledger: Source;

  constructor(ledger: Source) {
    this.ledger = ledger;
  }

  get identity(): Address {
    return this.ledger.identity;
  }

  get genesisHash(): string {
    return this.ledger.genesisHash;
  }

  get slotMs(): number {
    return this.ledger.slotMs;
  }

  get epochSlots(): number {
    return this.ledger.epochSlots;
  }

  get isRunning(): boolean {
    return this.ledger.isRunning;
  }

  head(): Head {
    return this.ledger.head();
  }

  isBlockhashValid(blockhash: string): boolean {
    return this.ledger.isBlockhashValid(blockhash);
  }

  lastHeightOf(blockhash: string): number | null {
    return this.ledger.lastHeightOf(blockhash);
  }

  firstSlot(): number {
    return this.ledger.firstSlot();
  }

  finishedSlot(): number {
    return this.ledger.finishedSlot();
  }

  finishedHead(): BlockPlace {
    return this.ledger.finishedHead();
  }

  slotsWithBlocks(from: number, to: number, limit: number): readonly number[] {
    return this.ledger.slotsWithBlocks(from, to, limit);
  }

  countBlocks(from: number, to: number): number {
    return this.ledger.countBlocks(from, to);
  }

  transactionCount(): number {
    return this.ledger.transactionCount();
  }
}

/** Forwards all reads to another ledger. Subclasses implement subscriptions. */
export abstract class ForwardedReads<Source extends LedgerReads>
  extends ForwardedBlocks<Source>
  implements Omit<LedgerReads, 'subscribe'>
{
  getAccount(address: Address): Account | null {
    return this.ledger.getAccount(address);
  }

  accountCount(): number {
    return this.ledger.accountCount();
  }

  totalLamports(): bigint {
    return this.ledger.totalLamports();
  }

  accounts(): Iterable<readonly [Address, Account]> {
    return this.ledger.accounts();
  }

  programAccounts(program: Address): Iterable<readonly [Address, Account]> {
    return this.ledger.programAccounts(program);
  }

  tokenAccounts(query: TokenAccountQuery): Iterable<readonly [Address, Account]> {
    return this.ledger.tokenAccounts(query);
  }

  getTransaction(signature: string): TransactionRecord | null {
    return this.ledger.getTransaction(signature);
  }

  signatureStatus(signature: string): TransactionStatus | null {
    return this.ledger.signatureStatus(signature);
  }

  signaturesFor(query: SignatureQuery): readonly TransactionRecord[] {
    return this.ledger.signaturesFor(query);
  }

  historyOf(query: SignatureQuery): Iterable<TransactionRecord | null> {
    return this.ledger.historyOf(query);
  }

  block(slot: number): Block | null {
    return this.ledger.block(slot);
  }

  simulate(transaction: Transaction, options: SimulateOptions): Simulation {
    return this.ledger.simulate(transaction, options);
  }
}
