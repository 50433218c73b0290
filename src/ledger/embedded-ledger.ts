import { SYSVAR_OWNER } from '../programs/addresses.ts';
import type { Logger } from '../ports/logger.ts';
import type { Timer } from '../ports/timer.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { Transaction } from '../solana/transaction.ts';
import type { Bank, Landed, OwnEffects, OwnResult, SideEffects } from './bank.ts';
import type { InitialState } from './initial-state.ts';
import type { Block, BlockPlace } from './block.ts';
import { EventFeed } from './event-feed.ts';
import type { Simulation, TransactionRecord } from './execution.ts';
import { Faucet } from './faucet.ts';
import type { FaucetMeter } from './faucet-limits.ts';
import { History } from './history.ts';
import { Keypair } from './keypair.ts';
import type { AccountChange, AccountObserver, LedgerListener } from './ledger-events.ts';
import type {
  Head,
  Ledger,
  SignatureQuery,
  SimulateOptions,
  Submission,
  SubmitOptions,
  TokenAccountQuery,
  TransactionStatus,
} from './ledger.ts';
import { nodeSecret } from './node-secret.ts';
import type { LedgerOperator } from './operator.ts';
import { readBlock } from './read-block.ts';
import { GONE } from './run/account-states.ts';
import type { AccountView } from './state/account-state.ts';
import { differences } from './state/differences.ts';
import { accountsBefore, type ToldAccounts } from './state/told-accounts.ts';
import type { LedgerStore } from './store/store.ts';
import { LEASE_LOOK_SLOTS } from './time/slot-lease.ts';
import { Writer } from './writer.ts';

/** What an {@link EmbeddedLedger} needs; `openLedger` provides it. */
interface LedgerParts {
  /** Its commit has been written. */
  readonly initialState: InitialState;
  readonly store: LedgerStore;
  readonly logger: Logger;
  readonly timer: Timer;
  /** Creates a new ledger with the same keys, at its genesis. */
  restartFromGenesis(): Promise<InitialState>;
  /** The genesis accounts of a new ledger with this faucet. */
  genesisAccounts(faucet: Address): Promise<Iterable<readonly [Address, Account]>>;
  /** The addresses a transaction is listed under in the history, out of all its keys. */
  readonly listedUnder: (keys: readonly Address[], record: TransactionRecord) => readonly Address[];
  /** Enforces the limits of the faucet. */
  readonly faucetMeter: FaucetMeter;
}

/** What came of a transaction of the node itself, and when it is durable. */
export interface Performed extends Omit<OwnResult, 'landed'> {
  /** Resolves once it is durable; at once if it failed. Rejects when it could not be written. */
  readonly written: Promise<void>;
}

/**
 * The ledger of this process. Memory holds the current state; the store is written behind it. A transaction
 * shows in accounts at once, and in the history once it is durable, which is when its submission resolves. A
 * slot is entered only if the durable lease covers it. After a failed write the current state is not shown
 * any more.
 */
export class EmbeddedLedger implements Ledger, LedgerOperator {
  readonly identity: Address;
  /** The address the faucet pays from. */
  readonly faucet: Address;
  /** The slot it was opened at. */
  readonly openedAtSlot: number;
  readonly #parts: LedgerParts;
  readonly #feed: EventFeed;
  readonly #writer: Writer;
  readonly #faucet: Faucet;
  readonly #identitySeed: Uint8Array;
  readonly #observers = new Set<AccountObserver>();
  #genesisHash: string;
  #bank: Bank;
  #history: History;
  /** The time anchor that has been written. */
  #writtenAnchor: unknown;
  /** A jump that is being written; the slot does not advance meanwhile. */
  #jumping: Promise<void> | undefined;
  #callOffLook: () => void = () => undefined;
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
    this.#history = new History(store);
    this.#writtenAnchor = bank.timeline.anchor;
    this.#lookLater();
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

  /** 0 on a ledger that charges nothing at all. */
  get lamportsPerSignature(): bigint {
    return this.#bank.lamportsPerSignature;
  }

  /** Whether it accepts transactions; it stops for good when it closes or a write fails. */
  get isRunning(): boolean {
    return this.#writer.isRunning;
  }

  /** Whether a write failed: the current state is not shown any more, and the log says why. */
  get hasFailed(): boolean {
    return this.#writer.hasFailed;
  }

  /** Its size on disk, bytes. */
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
    const { timeline } = this.#present();
    const age = timeline.ageOf(blockhash);
    return age !== undefined && age <= timeline.blockhashAgeMax;
  }

  getAccount(address: Address): Account | null {
    const bank = this.#present();
    if (address.startsWith('Sysvar')) bank.writeSysvars();
    return bank.accounts.get(address) ?? null;
  }

  /** All current accounts, for bulk reads; valid until the next change. */
  state(): AccountView {
    return this.#present().accounts;
  }

  /**
   * The accounts as subscribers know them by what they were told: durable, and without what they will be told
   * next. Valid until the next change.
   */
  toldState(): ToldAccounts {
    return accountsBefore(this.untold(), this.state());
  }

  /**
   * What {@link state} has and {@link toldState} has not: every change that subscribers are yet to be told
   * of, in the order in which they happened. Valid until the next change.
   */
  untold(): Iterable<AccountChange> {
    return this.#feed.untold();
  }

  accountCount(): number {
    return this.#present().accounts.size;
  }

  totalLamports(): bigint {
    return this.#present().accounts.totalLamports;
  }

  /** Bytes of data of the accounts that are its own. */
  accountsBytes(): number {
    return this.#present().accounts.dataBytes;
  }

  /** Bytes of data they may have together. */
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
   * Sets accounts as {@link setOwnAccounts} does, in one commit with a transaction of the node that announces
   * it. That one lands whatever its blockhash is, once per call, so it must be one that nobody else can land.
   * If it fails it does not land, and the accounts are set all the same.
   *
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  async enact(transaction: Transaction, sideEffects: SideEffects): Promise<void> {
    this.#writer.assertRunning();
    const landed = this.#present().enact(transaction, sideEffects);
    if (landed === null) await this.setOwnAccounts(sideEffects.also);
    else await this.#write(landed);
  }

  /**
   * Runs a transaction of the node itself, whatever its blockhash and signatures, with accounts that are put
   * in place before it and others that change with it, all in one commit. If it fails nothing has changed.
   *
   * @throws {TransactionRejected} when the message makes no sense.
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  perform(transaction: Transaction, effects: OwnEffects): Performed {
    this.#writer.assertRunning();
    const { landed, ...result } = this.#present().perform(transaction, effects);
    return { ...result, written: landed === null ? Promise.resolve() : this.#write(landed) };
  }

  getTransaction(signature: string): TransactionRecord | null {
    this.#present();
    return this.#history.get(signature);
  }

  signatureStatus(signature: string): TransactionStatus | null {
    const record = this.getTransaction(signature);
    return record && { slot: record.slot, err: record.err };
  }

  signaturesFor(query: SignatureQuery): readonly TransactionRecord[] {
    return [...this.historyOf(query)];
  }

  historyOf(query: SignatureQuery): Iterable<TransactionRecord> {
    this.#present();
    return this.#history.naming(query);
  }

  firstSlot(): number {
    return Math.max(this.#parts.store.firstSlot, this.#present().timeline.firstSlot);
  }

  /** The first slot of which the history has forgotten no transaction; 0 while it has all there ever were. */
  historyStart(): number {
    this.#present();
    return this.#parts.store.firstSlot;
  }

  finishedSlot(): number {
    const { slot } = this.#present().timeline;
    return Math.min(slot, this.#history.oldestUnwrittenSlot) - 1;
  }

  finishedHead(): BlockPlace {
    const finishedSlot = this.finishedSlot();
    return this.#bank.timeline.newestBlock(finishedSlot);
  }

  block(slot: number): Block | null {
    return readBlock(slot, this.firstSlot(), this.#bank.timeline, this.#history);
  }

  slotsWithBlocks(from: number, to: number, limit: number): readonly number[] {
    return this.#present().timeline.slotsBetween(Math.max(from, this.firstSlot()), to, limit);
  }

  countBlocks(from: number, to: number): number {
    return this.#present().timeline.countBetween(from, to);
  }

  transactionCount(): number {
    return this.#history.count;
  }

  subscribe(listener: LedgerListener): () => void {
    return this.#feed.subscribe(listener);
  }

  /** Has `observer` told of every account at the moment it changes. Returns what ends it. */
  observe(observer: AccountObserver): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /**
   * Whether every subscriber has been told of everything that can be read: accounts change before the change
   * is durable.
   */
  get isQuiet(): boolean {
    return this.#feed.isQuiet;
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

  /**
   * As {@link setAccounts}, without the limit on bytes: what the node must keep for others cannot wait for an
   * operator.
   */
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

  newestTransactions(limit: number): readonly TransactionRecord[] {
    this.#present();
    return this.#history.newest(limit);
  }

  async genesisAccounts(): Promise<ReadonlyMap<Address, Account>> {
    return new Map(await this.#parts.genesisAccounts(this.faucet));
  }

  /** 32 secret bytes derived from the secret of the node and `purpose`; always the same for one purpose. */
  secretFor(purpose: string): Uint8Array {
    return nodeSecret(this.#identitySeed, purpose);
  }

  /** Another key of the node: {@link secretFor} as its seed. */
  keypairFor(purpose: string): Keypair {
    return new Keypair(this.secretFor(purpose));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #close(): Promise<void> {
    this.#callOffLook();
    if (!this.#writer.hasFailed) this.#present();
    return this.#writer.close(async () => {
      await this.#jumping;
      return this.#bank.timeline.slot;
    });
  }

  async #write({ record, addresses, changes, message }: Landed): Promise<void> {
    const recordAddresses = this.#parts.listedUnder(addresses, record);
    const written = this.#writer.write(
      { accounts: changes.map(toEntry), record, recordAddresses, ...(message && { message }) },
      { kind: 'transaction', slot: record.slot, record, changes },
    );
    this.#history.add(record.slot);
    await written;
  }

  /** Switches to another ledger. */
  #enter({ identity, bank }: InitialState): void {
    const changes = differences(this.#bank.accounts, bank.accounts);
    this.#bank = bank;
    bank.observe(this.#noteAccount);
    for (const observer of this.#observers) observer.noteReset();
    this.#genesisHash = identity.genesisHash;
    this.#history = new History(this.#parts.store);
    this.#writtenAnchor = bank.timeline.anchor;
    this.#feed.announce({ kind: 'accounts', slot: bank.timeline.slot, changes })();
  }

  readonly #noteAccount: AccountObserver['noteAccount'] = (address, account) => {
    for (const observer of this.#observers) observer.noteAccount(address, account);
  };

  /**
   * The bank at the current slot, as far as the durable lease covers it.
   *
   * @throws {ServiceError} LEDGER_STOPPED once something could not be written.
   */
  #present(): Bank {
    this.#writer.assertReadable();
    const bank = this.#bank;
    const { store } = this.#parts;
    if (this.#jumping !== undefined || !bank.advance(store.slotCeiling)) return bank;
    this.#cover(bank);
    // A synchronous store covers the slot it was just told of.
    if (bank.timeline.due > bank.timeline.slot) bank.advance(store.slotCeiling);
    return bank;
  }

  /** Extends the durable slot lease to the current slot, and stores a changed time anchor. */
  #cover({ timeline: { due, anchor } }: Bank): void {
    this.#writer.cover(due, anchor === this.#writtenAnchor ? undefined : anchor);
    this.#writtenAnchor = anchor;
  }

  /** Writes a jump, then performs it. */
  async #jump(bank: Bank, target: { readonly slot: number; readonly unixMs?: number }): Promise<void> {
    const anchor = bank.timeline.planJump(target);
    await this.#writer.coverJump(anchor);
    bank.jump(anchor);
    this.#writtenAnchor = bank.timeline.anchor;
  }

  /** Checks the slot regularly, so that no request waits for a lease that ran out. */
  #lookLater(): void {
    this.#callOffLook = this.#parts.timer.after(this.slotMs * LEASE_LOOK_SLOTS, () => {
      if (this.#writer.hasFailed) return;
      this.#present();
      this.#lookLater();
    });
  }
}

function toEntry({ address, after }: AccountChange): readonly [Address, Account] {
  return [address, after ?? GONE];
}
