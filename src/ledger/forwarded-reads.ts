import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { Transaction } from '../solana/transaction.ts';
import type { Block } from './block.ts';
import type { Simulation, TransactionRecord } from './execution.ts';
import { ForwardedBlocks } from './forwarded-blocks.ts';
import type {
  LedgerReads,
  SignatureQuery,
  SimulateOptions,
  TokenAccountQuery,
  TransactionStatus,
} from './ledger.ts';

/**
 * All that can be read, as another ledger has it: for one that changes how it is written and hides nothing.
 * What it tells of by itself is its own affair.
 */
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
