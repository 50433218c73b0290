import type { Logger } from '../ports/logger.ts';
import type { Timer } from '../ports/timer.ts';
import { SYSVAR_OWNER } from '../programs/addresses.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { Transaction } from '../solana/transaction.ts';
import type { Bank, Landed, OwnEffects, OwnResult, SideEffects } from './bank.ts';
import { Faucet, type FaucetMeter } from './faucet.ts';
import type { InitialState } from './initial-state.ts';
import { Keypair, nodeSecret } from './keypair.ts';
import { type AccountChange, type AccountObserver, EventFeed, type LedgerListener } from './ledger-events.ts';
import {
  type Block,
  type BlockPlace,
  type Head,
  type Ledger,
  type LedgerOperator,
  type SignatureQuery,
  SignatureUnknown,
  type SimulateOptions,
  type Simulation,
  type Submission,
  type SubmitOptions,
  type TokenAccountQuery,
  type TransactionRecord,
  type TransactionStatus,
} from './ledger.ts';
import { GONE } from './run/account-states.ts';
import { accountsBefore, type AccountView, differences, type EarlierAccounts } from './state/accounts.ts';
import type { LedgerStore } from './store/store.ts';
import { LEASE_LOOK_SLOTS, Writer } from './writer.ts';

interface LedgerParts {
  /** The state the ledger opens with, already committed. */
  readonly initialState: InitialState;
  readonly store: LedgerStore;
  readonly logger: Logger;
  readonly timer: Timer;
  /** Creates a new ledger with the same keys, at its genesis. */
  restartFromGenesis(): Promise<InitialState>;
  /** Returns the genesis accounts of a new ledger with this faucet. */
  genesisAccounts(faucet: Address): Promise<Iterable<readonly [Address, Account]>>;
  /** Selects which of a transaction's keys list the transaction in their history. */
  readonly listedUnder: (keys: readonly Address[], record: TransactionRecord) => readonly Address[];
  /** Enforces the limits of the faucet. */
  readonly faucetMeter: FaucetMeter;
}

/** The result of one of the node's own transactions. */
export interface Performed extends Omit<OwnResult, 'landed'> {
  /** Resolves once the transaction is durable, or immediately if it failed. Rejects if the write fails. */
  readonly written: Promise<void>;
}

/**
 * The ledger of this process. Its current state is in memory, and changes are written to a store. Accounts
 * show the effects of a transaction immediately. The history lists a transaction once it is durable, which is
 * when its submission resolves. The ledger enters a slot only if the durable lease covers it. After a failed
 * write, all reads fail.
 */
export class EmbeddedLedger implements Ledger, LedgerOperator {
  readonly identity: Address;
  /** The address the faucet pays from. */
  readonly faucet: Address;
  /** The slot the ledger was opened at. */
  readonly openedAtSlot: number;
  readonly #parts: LedgerParts;
  readonly #feed: EventFeed;
  readonly #writer: Writer;
  readonly #faucet: Faucet;
  readonly #identitySeed: Uint8Array;
  readonly #observers = new Set<AccountObserver>();
  #genesisHash: string;
  #bank: Bank;
  /** Slots of the transactions that are not durable yet, in landing order. */
  #unwritten: number[] = [];
  /** The store's count of transactions when `#unwritten` was last updated. */
  #writtenCount: number;
  /** The time anchor that has been written. */
  #writtenAnchor: unknown;
  /** A jump that is being written. The slot does not advance until it is durable. */
  #jumping: Promise<void> | undefined;
  #cancelCheck: () => void = () => undefined;
  #closed: Promise<void> | undefined;

  constructor(parts: LedgerParts) {
    const { store, logger, initialState } = parts;
    const { identity, bank } = initialState;
    const faucet = new Keypair(identity.faucetSeed);
    this.identity = new Keypair(identity.identitySeed).address;
    this.#identitySeed = identity.identitySeed;
    this.faucet = faucet.address;
    this.openedAtSlot = bank.timeline.slot;
    this.#parts = parts;
    this.#feed = new EventFeed(logger);
    this.#writer = new Writer(store, this.#feed, logger, bank.timeline.slot);
    this.#faucet = new Faucet(faucet, this, parts.faucetMeter);
    this.#genesisHash = identity.genesisHash;
    this.#bank = bank;
    bank.observe(this.#noteAccount);
    this.#writtenCount = store.recordCount;
    this.#writtenAnchor = bank.timeline.anchor;
    this.#checkLater();
  }

  get genesisHash(): string {
    return this.#genesisHash;
  }

  get slotMs(): number {
    return this.#bank.timeline.anchor.slotMs;
  }

  get epochSlots(): number {
    return this.#bank.timeline.epochSlots;
  }

  /** Fee per signature, in lamports; 0 on a ledger without fees. */
  get lamportsPerSignature(): bigint {
    return this.#bank.lamportsPerSignature;
  }

  /** Whether the ledger accepts transactions. It stops permanently when it closes or a write fails. */
  get isRunning(): boolean {
    return this.#writer.isRunning;
  }

  /** Whether a write failed. All reads then fail, and the log contains the reason. */
  get hasFailed(): boolean {
    return this.#writer.hasFailed;
  }

  /** Returns the size on disk, in bytes. */
  storeBytes(): number {
    return this.#parts.store.bytes;
  }

  head(): Head {
    const { slot, blockHeight, blockhashText, blockhashAgeMax } = this.#present().timeline;
    return {
      slot,
      blockHeight,
      blockhash: blockhashText,
      lastValidBlockHeight: blockHeight + blockhashAgeMax,
    };
  }

  isBlockhashValid(blockhash: string): boolean {
    return this.lastHeightOf(blockhash) !== null;
  }

  lastHeightOf(blockhash: string): number | null {
    const { timeline } = this.#present();
    const age = timeline.ageOf(blockhash);
    const { blockHeight, blockhashAgeMax } = timeline;
    return age === undefined || age > blockhashAgeMax ? null : blockHeight - age + blockhashAgeMax;
  }

  getAccount(address: Address): Account | null {
    const bank = this.#present();
    if (address.startsWith('Sysvar')) bank.writeSysvars();
    return bank.accounts.get(address) ?? null;
  }

  /** Returns all current accounts, for bulk reads. They are valid until the next change. */
  state(): AccountView {
    return this.#present().accounts;
  }

  /**
   * Returns the accounts as of the last event that subscribers received. Excludes changes that are not
   * durable yet. Valid until the next change.
   */
  publishedState(): EarlierAccounts {
    return accountsBefore(this.unpublished(), this.state());
  }

  /**
   * Returns the changes that subscribers have not received yet, in the order in which they happened. The
   * result is valid until the next change.
   */
  unpublished(): Iterable<AccountChange> {
    return this.#feed.unpublished();
  }

  accountCount(): number {
    return this.#present().accounts.size;
  }

  totalLamports(): bigint {
    return this.#present().accounts.totalLamports;
  }

  /** Returns the total size of the account data on this ledger, in bytes. */
  accountsBytes(): number {
    return this.#present().accounts.dataBytes;
  }

  /** Maximum of {@link accountsBytes}. */
  get accountsBytesMax(): number {
    return this.#bank.accountsBytesMax;
  }

  accounts(): Iterable<readonly [Address, Account]> {
    const bank = this.#present();
    bank.writeSysvars();
    return bank.accounts.entries();
  }

  programAccounts(program: Address): Iterable<readonly [Address, Account]> {
    const bank = this.#present();
    if (program === SYSVAR_OWNER) bank.writeSysvars();
    return bank.accounts.ownedBy(program);
  }

  tokenAccounts(query: TokenAccountQuery): Iterable<readonly [Address, Account]> {
    return this.#present().accounts.tokenAccounts(query);
  }

  simulate(transaction: Transaction, options: SimulateOptions): Simulation {
    return this.#present().simulate(transaction, options);
  }

  async submit(
    transaction: Transaction,
    { preflight = null, instead = [] }: SubmitOptions = {},
  ): Promise<Submission> {
    const bank = this.#present();
    const rehearsal = preflight && bank.rehearse(transaction, instead);
    if (rehearsal !== null) preflight?.(rehearsal.simulation);
    this.#writer.assertRunning();
    const { signature, err, landed } = bank.submit(transaction, rehearsal, instead);
    if (landed === null) return { signature, err, landed: false };
    await this.#write(landed);
    return { signature, err, landed: true };
  }

  /**
   * Runs one of the node's own transactions and sets accounts in the same commit. If the transaction fails,
   * it does not land and only the accounts are set. No one else may be able to submit the transaction: it
   * lands once per call, with any blockhash.
   *
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  async enact(transaction: Transaction, sideEffects: SideEffects): Promise<void> {
    this.#writer.assertRunning();
    const { landed } = this.#present().perform(transaction, { first: [], ...sideEffects });
    if (landed === null) await this.setOwnAccounts(sideEffects.also);
    else await this.#write(landed);
  }

  /**
   * Runs one of the node's own transactions without checking its blockhash and signatures. Accounts that are
   * set before and after it are part of the same commit. If the transaction fails, nothing changes.
   *
   * @throws {TransactionRejected} if the message is malformed.
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  perform(transaction: Transaction, effects: OwnEffects): Performed {
    this.#writer.assertRunning();
    const { landed, ...result } = this.#present().perform(transaction, effects);
    return { ...result, written: landed === null ? Promise.resolve() : this.#write(landed) };
  }

  getTransaction(signature: string): TransactionRecord | null {
    this.#present();
    return this.#parts.store.record(signature);
  }

  signatureStatus(signature: string): TransactionStatus | null {
    const record = this.getTransaction(signature);
    return record && { slot: record.slot, err: record.err };
  }

  signaturesFor(query: SignatureQuery): readonly TransactionRecord[] {
    return [...this.historyOf(query)];
  }

  historyOf({ address, before, until, limit }: SignatureQuery): Iterable<TransactionRecord> {
    this.#present();
    return this.#parts.store.recordsNaming({
      address,
      limit,
      ...(before !== undefined && { before: this.#requireRecord(before) }),
      ...(until !== undefined && { until: this.#requireRecord(until) }),
    });
  }

  firstSlot(): number {
    return Math.max(this.#parts.store.firstSlot, this.#present().timeline.firstSlot);
  }

  /** Returns the first slot whose transactions are all in the history; 0 while none were removed. */
  historyStart(): number {
    this.#present();
    return this.#parts.store.firstSlot;
  }

  finishedSlot(): number {
    const { slot } = this.#present().timeline;
    this.#dropWritten();
    return Math.min(slot, this.#unwritten[0] ?? slot) - 1;
  }

  finishedHead(): BlockPlace {
    const finishedSlot = this.finishedSlot();
    return this.#bank.timeline.newestBlock(finishedSlot);
  }

  block(slot: number): Block | null {
    const firstSlot = this.firstSlot();
    const { timeline } = this.#bank;
    const blockHeight = Number.isInteger(slot) ? timeline.heightOf(slot) : undefined;
    if (blockHeight === undefined || slot > timeline.slot || slot < firstSlot) return null;
    // Slot 0 is its own parent, as in Agave's blockstore.
    const parentHeight = Math.max(0, blockHeight - 1);
    return {
      slot,
      parentSlot: timeline.slotAt(parentHeight),
      blockHeight,
      blockhash: timeline.blockhashAt(blockHeight),
      previousBlockhash: timeline.blockhashAt(parentHeight),
      blockTime: timeline.timeOf(slot),
      transactions: this.#parts.store.recordsOf(slot),
    };
  }

  slotsWithBlocks(from: number, to: number, limit: number): readonly number[] {
    return this.#present().timeline.slotsBetween(Math.max(from, this.firstSlot()), to, limit);
  }

  countBlocks(from: number, to: number): number {
    return this.#present().timeline.countBetween(from, to);
  }

  transactionCount(): number {
    return this.#parts.store.recordCount;
  }

  subscribe(listener: LedgerListener): () => void {
    return this.#feed.subscribe(listener);
  }

  /**
   * Notifies `observer` of every account change immediately. Returns a function that stops the notifications.
   */
  observe(observer: AccountObserver): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  async airdrop(owner: Address, lamports: bigint): Promise<string> {
    return await this.#faucet.airdrop(owner, lamports);
  }

  async airdropTokens(owner: Address, mint: Address, amount: bigint): Promise<string> {
    return await this.#faucet.airdropTokens(owner, mint, amount);
  }

  setAccounts(entries: readonly (readonly [Address, Account])[]): Promise<void> {
    return this.#setAccounts(entries, true);
  }

  /** Sets the node's own accounts. Unlike {@link setAccounts}, it ignores the limit on account data. */
  setOwnAccounts(entries: readonly (readonly [Address, Account])[]): Promise<void> {
    return this.#setAccounts(entries, false);
  }

  async #setAccounts(entries: readonly (readonly [Address, Account])[], isBounded: boolean): Promise<void> {
    this.#writer.assertRunning();
    const bank = this.#present();
    const { changes, refusal } = bank.setAccounts(entries, { isBounded });
    await this.#writer.write(
      { accounts: changes.map(toEntry) },
      { kind: 'accounts', slot: bank.timeline.slot, changes },
    );
    if (refusal !== null) throw refusal;
  }

  async travelTo(target: { readonly slot: number; readonly unixMs?: number }): Promise<void> {
    while (this.#jumping !== undefined) await this.#jumping;
    this.#writer.assertRunning();
    this.#jumping = this.#jump(this.#present(), target).finally(() => {
      this.#jumping = undefined;
    });
    await this.#jumping;
  }

  pauseClock(): void {
    this.#present().timeline.pause();
  }

  async resumeClock(): Promise<void> {
    this.#writer.assertRunning();
    const { timeline } = this.#present();
    if (!timeline.resume()) return;
    this.#writtenAnchor = timeline.anchor;
    await this.#writer.write({ timeAnchor: timeline.anchor });
  }

  get isClockPaused(): boolean {
    return this.#bank.timeline.isPaused;
  }

  async resetLedger(): Promise<void> {
    this.#writer.assertRunning();
    const newState = await this.#parts.restartFromGenesis();
    const { commit, bank } = newState;
    await this.#writer.replace(commit, bank.timeline.slot, () => this.#enter(newState));
  }

  async genesisAccounts(): Promise<ReadonlyMap<Address, Account>> {
    return new Map(await this.#parts.genesisAccounts(this.faucet));
  }

  /** Derives 32 secret bytes from the node's secret and a purpose. The result is always the same. */
  secretFor(purpose: string): Uint8Array {
    return nodeSecret(this.#identitySeed, purpose);
  }

  /** Derives a key pair of the node, with {@link secretFor} as its seed. */
  keypairFor(purpose: string): Keypair {
    return new Keypair(this.secretFor(purpose));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #close(): Promise<void> {
    this.#cancelCheck();
    if (!this.#writer.hasFailed) this.#present();
    return this.#writer.close(async () => {
      await this.#jumping;
      return this.#bank.timeline.slot;
    });
  }

  async #write({ record, addresses, changes, message }: Landed): Promise<void> {
    const recordAddresses = this.#parts.listedUnder(addresses, record);
    this.#dropWritten();
    this.#unwritten.push(record.slot);
    await this.#writer.write(
      { accounts: changes.map(toEntry), record, recordAddresses, ...(message && { message }) },
      { kind: 'transaction', slot: record.slot, record, changes },
    );
  }

  /** Drops the slots of durable transactions. Transactions become durable in landing order. */
  #dropWritten(): void {
    const { recordCount } = this.#parts.store;
    this.#unwritten.splice(0, recordCount - this.#writtenCount);
    this.#writtenCount = recordCount;
  }

  #requireRecord(signature: string): TransactionRecord {
    const record = this.getTransaction(signature);
    if (record === null) throw new SignatureUnknown(signature);
    return record;
  }

  #enter({ identity, bank }: InitialState): void {
    const changes = differences(this.#bank.accounts, bank.accounts);
    this.#bank = bank;
    bank.observe(this.#noteAccount);
    for (const observer of this.#observers) observer.noteReset();
    this.#genesisHash = identity.genesisHash;
    this.#unwritten = [];
    this.#writtenCount = this.#parts.store.recordCount;
    this.#writtenAnchor = bank.timeline.anchor;
    this.#feed.announce({ kind: 'accounts', slot: bank.timeline.slot, changes })();
  }

  readonly #noteAccount: AccountObserver['noteAccount'] = (address, account) => {
    for (const observer of this.#observers) observer.noteAccount(address, account);
  };

  /**
   * Returns the bank, advanced to the current slot if the durable lease covers it.
   *
   * @throws {ServiceError} LEDGER_STOPPED after a failed write.
   */
  #present(): Bank {
    this.#writer.assertReadable();
    const bank = this.#bank;
    const { store } = this.#parts;
    if (this.#jumping !== undefined || !bank.advance(store.slotCeiling)) return bank;
    this.#cover(bank);
    // A synchronous store already covers the new slot.
    if (bank.timeline.due > bank.timeline.slot) bank.advance(store.slotCeiling);
    return bank;
  }

  /** Extends the durable slot lease to the current slot, and stores a changed time anchor. */
  #cover({ timeline: { due, anchor } }: Bank): void {
    this.#writer.cover(due, anchor === this.#writtenAnchor ? undefined : anchor);
    this.#writtenAnchor = anchor;
  }

  /** Stores a jump in time, then performs it. */
  async #jump(bank: Bank, target: { readonly slot: number; readonly unixMs?: number }): Promise<void> {
    const anchor = bank.timeline.planJump(target);
    await this.#writer.coverJump(anchor);
    bank.jump(anchor);
    this.#writtenAnchor = bank.timeline.anchor;
  }

  /** Checks the slot regularly, because otherwise a request may find an expired lease. */
  #checkLater(): void {
    this.#cancelCheck = this.#parts.timer.after(this.slotMs * LEASE_LOOK_SLOTS, () => {
      if (this.#writer.hasFailed) return;
      this.#present();
      this.#checkLater();
    });
  }
}

function toEntry({ address, after }: AccountChange): readonly [Address, Account] {
  return [address, after ?? GONE];
}
