import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../ports/logger.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import type { Transaction } from '../solana/transaction.ts';
import type { Engine } from './engine/engine.ts';
import type { Execution, Simulation, TransactionRecord } from './execution.ts';
import { Faucet } from './faucet.ts';
import type { Keypair } from './keypair.ts';
import type { Head, Ledger, Submission, TokenHolding } from './ledger.ts';
import { changedAccounts, touchedPrograms } from './run/account-states.ts';
import { type AccountKeys, resolveAccountKeys } from './run/account-keys.ts';
import { Executor, type Outcome } from './run/executor.ts';
import { findUsedNonce } from './run/nonce.ts';
import { digestMessage, SeenMessages } from './run/seen-messages.ts';
import type { Accounts } from './state/accounts.ts';
import { largestTokenAccounts } from './state/largest-token-accounts.ts';
import { History } from './store/history.ts';
import type { Commit, LedgerStore } from './store/store.ts';
import { BLOCKHASH_AGE_MAX, SIMULATION_AGE_MAX } from './time/blockhashes.ts';
import { SlotLease } from './time/slot-lease.ts';
import type { Timeline } from './time/timeline.ts';

/** What an {@link EmbeddedLedger} is put together from; `openLedger` does it. */
export interface LedgerParts {
  readonly engine: Engine;
  /** Everything the engine has, and nothing else. */
  readonly accounts: Accounts;
  readonly store: LedgerStore;
  readonly timeline: Timeline;
  /** The messages that landed lately, from the store. */
  readonly seen: SeenMessages;
  readonly genesisHash: string;
  readonly faucet: Keypair;
  readonly identity: Keypair;
  readonly logger: Logger;
}

/**
 * The ledger in this process. Memory is the truth of the present: the engine executes on its own copy of the accounts,
 * and the store is written behind. What is executed shows in reads at once; a submission resolves when it is durable.
 */
export class EmbeddedLedger implements Ledger {
  readonly identity: Address;
  readonly genesisHash: string;
  /** The address lamports and tokens are given from. */
  readonly faucet: Address;
  readonly #parts: LedgerParts;
  readonly #executor: Executor;
  readonly #history: History;
  readonly #lease: SlotLease;
  readonly #faucet: Faucet;
  /** Transactions that landed in the present slot. */
  #landedInSlot = 0;
  /** The slot the sysvars were last written for. */
  #sysvarSlot = -1;
  #stopped = false;
  #closed: Promise<void> | undefined;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
    this.identity = parts.identity.address;
    this.genesisHash = parts.genesisHash;
    this.faucet = parts.faucet.address;
    this.#executor = new Executor(parts.engine, parts.accounts);
    this.#history = new History(parts.store);
    this.#lease = new SlotLease(parts.store.slotCeiling, (slotCeiling) => {
      // Its failure stops the ledger; nobody waits for it.
      this.#commit({ slotCeiling }).catch(() => undefined);
    });
    this.#faucet = new Faucet(parts.faucet, this);
  }

  head(): Head {
    const slot = this.#advance();
    return {
      slot,
      blockHeight: slot,
      blockhash: this.#parts.timeline.blockhashText,
      lastValidBlockHeight: slot + BLOCKHASH_AGE_MAX,
    };
  }

  isBlockhashValid(blockhash: string): boolean {
    this.#advance();
    return isYoung(this.#parts.timeline.ageOf(blockhash), BLOCKHASH_AGE_MAX);
  }

  getAccount(address: Address): Account | null {
    this.#advance();
    if (address.startsWith('Sysvar')) this.#writeSysvars();
    return this.#parts.accounts.get(address) ?? null;
  }

  largestTokenAccounts(mint: Address, tokenProgram: Address, count: number): readonly TokenHolding[] {
    this.#advance();
    return largestTokenAccounts(this.#parts.accounts, mint, tokenProgram, count);
  }

  simulate(
    transaction: Transaction,
    options: { readonly verifySignatures: boolean; readonly replaceBlockhash: boolean },
  ): Simulation {
    const slot = this.#advance();
    const { accounts, timeline, engine } = this.#parts;
    const subject = options.replaceBlockhash ? withBlockhash(transaction, timeline.blockhash) : transaction;
    this.#writeSysvars();
    const keys = resolveAccountKeys(subject, accounts, slot);
    const isSigned = !options.verifySignatures || engine.hasValidSignatures(transaction);
    const { execution, after } = isSigned
      ? this.#try(subject, keys, SIMULATION_AGE_MAX)
      : this.#executor.refuseSignatures(keys);
    return {
      ...execution,
      slot,
      replacementBlockhash: options.replaceBlockhash
        ? { blockhash: timeline.blockhashText, lastValidBlockHeight: slot + BLOCKHASH_AGE_MAX }
        : null,
      accountAfter(address) {
        const index = keys.addresses.indexOf(address);
        return (index < 0 ? accounts.get(address) : after[index]) ?? null;
      },
    };
  }

  async submit(transaction: Transaction): Promise<Submission> {
    this.#assertRunning();
    const slot = this.#advance();
    this.#writeSysvars();
    const keys = resolveAccountKeys(transaction, this.#parts.accounts, slot);
    const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
    if (!this.#parts.engine.hasValidSignatures(transaction)) {
      return { signature, err: 'SignatureFailure', landed: false };
    }
    const outcome = this.#try(transaction, keys, BLOCKHASH_AGE_MAX);
    const { err } = outcome.execution;
    if (!outcome.charged) return { signature, err, landed: false };
    await this.#land(transaction, signature, keys, outcome);
    return { signature, err, landed: true };
  }

  getTransaction(signature: string): TransactionRecord | null {
    this.#advance();
    return this.#history.get(signature);
  }

  async airdrop(owner: Address, lamports: bigint): Promise<string> {
    return await this.#faucet.airdrop(owner, lamports);
  }

  async airdropTokens(owner: Address, mint: Address, amount: bigint): Promise<string> {
    return await this.#faucet.airdropTokens(owner, mint, amount);
  }

  /**
   * Puts accounts in place without a transaction: what an operator or a rollup does, never a user. One with 0 lamports
   * is removed. ProgramData have to come before their programs. Resolves once they are durable.
   *
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  async setAccounts(entries: readonly (readonly [Address, Account])[]): Promise<void> {
    this.#assertRunning();
    this.#advance();
    for (const [address, account] of entries) this.#putAccount(address, account);
    await this.#commit({ accounts: entries, slotCeiling: this.#lease.ceiling });
  }

  close(): Promise<void> {
    this.#closed ??= this.#stop();
    return this.#closed;
  }

  async #stop(): Promise<void> {
    const slotCeiling = this.#advance();
    const isWritable = !this.#stopped;
    this.#stopped = true;
    try {
      if (isWritable) await this.#commit({ slotCeiling });
    } finally {
      await this.#parts.store.close();
    }
  }

  /** Moves to the present and says which slot that is. */
  #advance(): number {
    const { timeline, seen } = this.#parts;
    if (timeline.advance()) {
      seen.advanceTo(timeline.slot);
      this.#landedInSlot = 0;
      if (!this.#stopped) this.#lease.cover(timeline.slot);
    }
    return timeline.slot;
  }

  /** Brings the sysvars that change with the slot to the present, only when somebody is going to look at them. */
  #writeSysvars(): void {
    const { timeline } = this.#parts;
    if (this.#sysvarSlot === timeline.slot) return;
    for (const [address, account] of timeline.sysvars()) this.#putAccount(address, account);
    this.#sysvarSlot = timeline.slot;
  }

  /** Runs a transaction unless its blockhash is too old or it has landed before. */
  #try(transaction: Transaction, keys: AccountKeys, ageMax: number): Outcome {
    const { accounts, timeline, seen } = this.#parts;
    const isRecent = isYoung(timeline.ageOf(blockhashOf(transaction)), ageMax);
    const nonce = isRecent ? null : findUsedNonce(transaction, accounts, timeline.blockhash);
    if (!isRecent && nonce === null) return this.#executor.refuse(transaction, keys, 'BlockhashNotFound');
    if (seen.has(digestMessage(messageOf(transaction)))) {
      return this.#executor.refuse(transaction, keys, 'AlreadyProcessed');
    }
    return this.#executor.execute(transaction, keys, timeline.blockhash, nonce);
  }

  /** Makes what came of a transaction the present, and durable. */
  async #land(
    transaction: Transaction,
    signature: string,
    keys: AccountKeys,
    { execution, before, after }: Outcome,
  ): Promise<void> {
    const { timeline, seen } = this.#parts;
    const changes = changedAccounts(keys, before, after).map(([address, account]) => {
      this.#parts.engine.setAccount(address, account);
      const kept = copyAccount(account);
      this.#parts.accounts.set(address, kept);
      return [address, kept] as const;
    });
    for (const program of touchedPrograms(keys, before, after)) this.#parts.engine.setAccount(...program);
    const age = timeline.ageOf(blockhashOf(transaction));
    if (age !== undefined) seen.add(digestMessage(messageOf(transaction)), timeline.slot - age);
    const record = {
      // Whatever is charged has balances and a fee.
      ...(execution as Execution & TransactionRecord),
      signature,
      slot: timeline.slot,
      index: this.#landedInSlot++,
      blockTime: timeline.unixTimestamp,
      wire: new Uint8Array(transaction.wire),
    };
    const written = this.#commit({ accounts: changes, record, slotCeiling: this.#lease.ceiling });
    this.#history.add(record, written);
    await written;
  }

  #putAccount(address: Address, account: Account): void {
    this.#parts.engine.setAccount(address, account);
    this.#parts.accounts.set(address, account);
  }

  /** After a failure nothing can be promised any more, so the ledger stops taking transactions. */
  async #commit(commit: Commit): Promise<void> {
    try {
      await this.#parts.store.commit(commit);
    } catch (error) {
      this.#stopped = true;
      this.#parts.logger.error({ err: error }, 'the ledger cannot be written and takes no more transactions');
      throw error;
    }
  }

  #assertRunning(): void {
    if (!this.#stopped) return;
    throw new ServiceError('LEDGER_STOPPED', 'The ledger is shutting down and takes no more transactions');
  }
}

function isYoung(age: number | undefined, ageMax: number): boolean {
  return age !== undefined && age <= ageMax;
}

function blockhashOf({ wire, blockhashAt }: Transaction): Uint8Array {
  return wire.subarray(blockhashAt, blockhashAt + 32);
}

function messageOf({ wire, messageAt }: Transaction): Uint8Array {
  return wire.subarray(messageAt);
}

/** The same transaction with another blockhash. Instructions and signatures go on pointing into the old bytes. */
function withBlockhash(transaction: Transaction, blockhash: Uint8Array): Transaction {
  const wire = new Uint8Array(transaction.wire);
  wire.set(blockhash, transaction.blockhashAt);
  return { ...transaction, wire };
}

/** An account without what the engine may hold on to behind it. */
function copyAccount({ lamports, owner, data, executable, rentEpoch }: Account): Account {
  return { lamports, owner, data, executable, rentEpoch };
}
