import type {
  LatestBlockhash,
  LedgerClient,
  SendOptions,
  SignatureStatus,
  SimulationResult,
} from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { decodeTransaction, WireError, type Transaction } from '../solana/transaction.ts';
import { describeTransactionError } from './describe-transaction-error.ts';
import { TransactionRejected, type Ledger, type Preflight } from './ledger.ts';
import type { TransactionError } from './transaction-error.ts';

/** A ledger of this process for the payment operations: no network, no waiting. */
export class InProcessClient implements LedgerClient {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  async getAccounts(addresses: readonly Address[]): Promise<readonly (Account | null)[]> {
    return addresses.map((address) => this.#ledger.getAccount(address));
  }

  async latestBlockhash(): Promise<LatestBlockhash> {
    const { blockhash, lastValidBlockHeight } = this.#ledger.head();
    return { blockhash, lastValidBlockHeight };
  }

  /** Of the last finished block, which is what a node over a network answers at confirmed. */
  async blockHeight(): Promise<number> {
    return this.#ledger.finishedHead().blockHeight;
  }

  async isBlockhashValid(blockhash: string): Promise<boolean> {
    return this.#ledger.isBlockhashValid(blockhash);
  }

  async simulateTransaction(wire: Uint8Array, watch: readonly Address[]): Promise<SimulationResult> {
    const transaction = decode(wire);
    const run = refusing(() =>
      this.#ledger.simulate(transaction, { verifySignatures: false, replaceBlockhash: true }),
    );
    return {
      err: run.err,
      logs: run.logs,
      computeUnits: run.computeUnits,
      accounts: run.err === null ? watch.map((address) => run.accountAfter(address)) : null,
    };
  }

  /** Runs it at once, so that nothing is ever sent again. */
  async sendTransaction(wire: Uint8Array, _token?: string, options?: SendOptions): Promise<string> {
    const transaction = decode(wire);
    const preflight: Preflight = ({ err }) => {
      if (err !== null) throw refused(err);
    };
    const checks = options?.skipPreflight === true ? {} : { preflight };
    const { signature } = await this.#ledger.submit(transaction, checks).catch(throwRefusal);
    return signature;
  }

  async signatureStatus(signature: string): Promise<SignatureStatus | null> {
    const record = this.#ledger.getTransaction(signature);
    return record === null ? null : { slot: record.slot, err: record.err };
  }
}

function decode(wire: Uint8Array): Transaction {
  try {
    return decodeTransaction(wire);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new ServiceError('INVALID_TRANSACTION', `The bytes are not a Solana transaction: ${error.message}`);
  }
}

function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throwRefusal(error);
  }
}

function throwRefusal(error: unknown): never {
  throw error instanceof TransactionRejected ? refused(error.reason) : error;
}

function refused(err: TransactionError): ServiceError {
  const reason = typeof err === 'string' ? err : JSON.stringify(err);
  const words = describeTransactionError(err);
  return new ServiceError('TRANSACTION_FAILED', `The ledger refused the transaction: ${words}`, { reason });
}
