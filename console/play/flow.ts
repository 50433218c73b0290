import { signal, type Source } from '../parts/signal.ts';
import type { Console } from '../context/console.ts';
import { playMint, type TableMint } from '../context/console-state.ts';
import type { WalletAccounts } from '../history/wallet-deeds.ts';
import { eataOf, type ShownEata } from '../history/accounts.ts';
import type { Agreed } from '../payments/consent.ts';
import {
  dropSent,
  storeSent,
  storedSent,
  type TabStorage,
  lookUp,
  type OutcomePorts,
} from '../payments/look-up.ts';
import { propose } from '../payments/proposal.ts';
import { submit, type Submitted, type SubmitPorts } from '../payments/submit.ts';
import { notify } from '../parts/copy.tsx';
import { fund } from '../wallets/faucet.ts';
import { makeKeypair } from '../wallets/keypair.ts';
import type { Activity, Unknown } from './activity.ts';
import { expired, failureOf, landedAndFailed, movedNothing, type Failure, type Phase } from './failure.ts';
import { requestFor, type Intent } from './intent.ts';
import { outcomePorts } from './outcome-ports.ts';
import { afterLanding, NOTHING_DONE, onceMore, type Progress } from './tour.ts';

/** Interval and maximum number of polls for a settlement. On localnet it takes about 40 ms. */
const LOOK_MS = 150;
const LOOKS_MAX = 400;

/** Interval and maximum number of lookups of an unknown outcome: longer than a base blockhash is valid. */
const OUTCOME_MS = 500;
const OUTCOME_LOOKS_MAX = 240;

const NAMES = ['Alice', 'Bob'] as const;

/** The actions of this tab with its wallets. One instance is shared by all views. */
export class Play {
  readonly #console: Console;
  readonly #look: (as: 'owner') => void;
  readonly #ports: SubmitPorts;
  readonly #storage: TabStorage;
  readonly #outcomes: OutcomePorts;
  readonly #activity = signal<Activity>({ kind: 'rest' });
  readonly #progress = signal<Progress>(NOTHING_DONE);
  readonly #accounts = signal<readonly WalletAccounts[]>([]);

  /**
   * @param look changes the viewpoint. Actions switch to the owner.
   * @param storage keeps the signature of a sent transaction across reloads of the tab.
   */
  constructor(console: Console, look: (as: 'owner') => void, storage: TabStorage) {
    this.#console = console;
    this.#look = look;
    this.#storage = storage;
    this.#ports = {
      api: console.api,
      tokenOf: console.wallets.tokenOf,
      store: (sent) => storeSent(storage, this.#genesis(), sent),
    };
    this.#outcomes = outcomePorts(console);
  }

  get activity(): Source<Activity> {
    return this.#activity;
  }

  get progress(): Source<Progress> {
    return this.#progress;
  }

  /** The accounts of the wallets; empty until they are loaded. */
  get accounts(): Source<readonly WalletAccounts[]> {
    return this.#accounts;
  }

  /** Creates two wallets unless they exist, logs them in and funds them. */
  async makeWallets(): Promise<void> {
    if (!this.#isFree()) return;
    await this.#attempt(null, 'beyond', async () => {
      const { wallets, readers, wait, state } = this.#console;
      if (state.peek()?.play !== true) throw new Error('Test wallets exist only on a localnet.');
      const mint = this.#mint();
      this.#say('Creating keys');
      if (wallets.all.peek().length === 0) for (const name of NAMES) wallets.add(name, await makeKeypair());
      const addresses = wallets.all.peek().map(({ key }) => key.address);
      this.#say('Logging in');
      for (const address of addresses) await wallets.logIn(address);
      this.#say('Asking the faucet');
      await Promise.all(addresses.map((address) => fund(readers.acting, address, mint, wait)));
      await this.adopt();
      this.#console.happened();
      this.#look('owner');
      this.cancel();
    });
  }

  /** Loads the accounts of the tab's wallets. */
  async adopt(): Promise<void> {
    const mint = this.#mint();
    const all = this.#console.wallets.all.peek();
    this.#accounts.value = await Promise.all(
      all.map(async ({ key: { address } }) => ({
        wallet: address,
        ...(await this.#console.accountsOf(address, mint)),
      })),
    );
    const [payer, payee] = all;
    if (payer === undefined || payee === undefined) return;
    this.#done({ wallets: [payer.key.address, payee.key.address] });
  }

  /**
   * Builds and explains the first intent as the owner. The others follow when it has landed. Does nothing
   * while another transaction is pending or its outcome is unknown, to avoid sending it twice.
   */
  async begin(intents: readonly Intent[]): Promise<void> {
    if (!this.#isFree()) return;
    if (intents.length === 0) this.#look('owner');
    await this.#begin(intents);
  }

  /** Whether a new action can start. */
  #isFree(): boolean {
    const { kind } = this.#activity.peek();
    return kind === 'rest' || kind === 'sign' || kind === 'failed' || kind === 'landed';
  }

  async #begin([intent, ...queue]: readonly Intent[]): Promise<void> {
    await this.#attempt(intent ?? null, 'before-signing', async () => {
      // Nothing is left to sign, so the viewpoint does not change.
      if (intent === undefined) return this.cancel();
      this.#look('owner');
      this.#say('Building the transaction');
      if (await this.#isUnprepared(intent)) {
        return await this.#begin([{ kind: 'prepare', wallet: intent.wallet }, intent, ...queue]);
      }
      const shown = await this.#eataOf(intent.wallet);
      // The account is already back. The service would reject another undelegation.
      if (intent.kind === 'undelegate' && shown?.isDelegated === false)
        return this.#settled(intent.wallet, shown);
      const terms = {
        mint: this.#mint().mint,
        layout: this.#console.state.peek()?.base.layout ?? null,
        isDelegated: shown?.isDelegated ?? false,
      };
      const proposal = await propose(this.#ports, intent.wallet, requestFor(intent, terms));
      this.#activity.value = { kind: 'sign', intent, proposal, queue, hasChanged: false };
    });
  }

  /**
   * Signs and sends the shown proposal if it is the one that was agreed to, then continues with the queue.
   */
  async sign(agreed: Agreed): Promise<void> {
    const shown = this.#activity.peek();
    if (shown.kind !== 'sign') return;
    const { intent, proposal, queue } = shown;
    // `submit` throws only before anything is sent.
    const submitted = await this.#attempt(intent, 'before-signing', async () => {
      const wallet = this.#console.wallets.find(proposal.wallet);
      if (wallet === null) throw new Error('This tab does not have the key of that wallet.');
      this.#say('Signing and sending');
      return await submit(this.#ports, proposal, agreed, wallet.key);
    });
    if (submitted !== null) await this.#goOnAfter(submitted, intent, queue);
  }

  /** Looks up the transaction that was sent before a reload if its outcome is unknown. */
  async settleStored(): Promise<void> {
    const sent = storedSent(this.#storage, this.#genesis());
    if (sent === null || !this.#isFree()) return;
    await this.#lookFor({ ...UNSEEN, intent: null, sent, queue: [], fault: null });
  }

  async #goOnAfter(submitted: Submitted, intent: Intent, queue: readonly Intent[]): Promise<void> {
    if (submitted.outcome === 'changed') {
      this.#activity.value = { kind: 'sign', intent, proposal: submitted.proposal, queue, hasChanged: true };
    } else if (submitted.outcome === 'unknown') {
      const { sent, fault } = submitted;
      await this.#lookFor({ ...UNSEEN, intent, sent, queue, fault });
    } else await this.#ended(submitted, intent, queue);
  }

  /** Handles a known outcome. */
  async #ended(ended: Ended, intent: Intent | null, queue: readonly Intent[]): Promise<void> {
    const { sent } = ended;
    dropSent(this.#storage, sent);
    this.#console.happened();
    if (ended.outcome !== 'landed')
      this.#activity.value = { kind: 'failed', intent, failure: unlanded(ended) };
    else await this.#landed(ended, intent, queue);
  }

  /** Starts another lookup of an unknown outcome or a pending settlement. */
  async lookAgain(): Promise<void> {
    const shown = this.#activity.peek();
    if (shown.kind === 'settling' && !shown.isLooking) await this.#awaitSettlement(shown.wallet);
    if (shown.kind === 'unknown' && !shown.isLooking) await this.#lookFor({ ...shown, isLooking: true });
  }

  /** Looks up a transaction until its outcome is known. */
  async #lookFor(unknown: Unknown): Promise<void> {
    const { intent, sent, queue } = unknown;
    this.#activity.value = unknown;
    this.#console.happened();
    for (let looks = 1; looks <= OUTCOME_LOOKS_MAX; looks++) {
      const found = await lookUp(this.#outcomes, sent);
      const shown = this.#activity.peek();
      if (shown.kind !== 'unknown' || shown.sent !== sent) return;
      if (found === 'landed' || found === 'failed' || found === 'expired') {
        return await this.#ended({ outcome: found, sent, message: null }, intent, queue);
      }
      this.#activity.value = { ...shown, found, isLooking: looks < OUTCOME_LOOKS_MAX };
      await this.#console.wait(OUTCOME_MS);
    }
  }

  /** Switches to the owner's viewpoint. */
  lookAsOwner(): void {
    this.#look('owner');
  }

  /** Resets the stage. A sent transaction may still land, but is no longer looked up. */
  cancel(): void {
    const shown = this.#activity.peek();
    if (shown.kind === 'unknown') dropSent(this.#storage, shown.sent);
    this.#activity.value = { kind: 'rest' };
  }

  /** Completes the step that looks as anyone. */
  goOn(): void {
    this.#done({ hasLooked: true });
  }

  /** Restarts the tour with the same wallets. */
  restart(): void {
    if (!this.#isFree()) return;
    this.#progress.value = onceMore(this.#progress.peek());
    this.cancel();
  }

  /** Logs one wallet in. */
  logIn(wallet: string): Promise<void> {
    return this.#aside(() => this.#console.wallets.logIn(wallet));
  }

  /** Logs in every wallet of the tab and switches to the owner's viewpoint. */
  logInAll(): Promise<void> {
    return this.#aside(async () => {
      const { wallets } = this.#console;
      for (const { key } of wallets.all.peek()) await wallets.logIn(key.address);
      this.#look('owner');
    });
  }

  /** Runs an action that sends no transaction. A pending activity continues. */
  async #aside(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#console.happened();
      if (this.#activity.peek().kind === 'failed') this.cancel();
    } catch (error) {
      const failure = this.#failureOf(error, 'beyond');
      const shown = this.#activity.peek();
      if (this.#isFree()) this.#activity.value = { kind: 'failed', failure, intent: null };
      else if (shown.kind === 'unknown') this.#activity.value = { ...shown, fault: failure.text };
      else notify(`${failure.title} ${failure.text}`);
    }
  }

  /** Whether a payment needs a transfer queue that the mint does not have yet. */
  async #isUnprepared(intent: Intent): Promise<boolean> {
    if (intent.kind !== 'pay' || !intent.isOnBase) return false;
    return !(await this.#console.api.isMintInitialized({ mint: this.#mint().mint })).initialized;
  }

  async #awaitQueue(): Promise<void> {
    this.#say('Creating the transfer queue');
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      const { mint } = this.#mint();
      // A failed read proves nothing, so it is repeated.
      const status = await this.#console.api.isMintInitialized({ mint }).catch(() => null);
      if (status?.initialized === true) return;
      await this.#console.wait(LOOK_MS);
    }
    throw new Error('The transfer queue did not appear within a minute. Try the payment again.');
  }

  async #landed({ sent, arrival }: Landed, intent: Intent | null, queue: readonly Intent[]): Promise<void> {
    if (arrival?.outcome === 'moved nothing') {
      this.#activity.value = { kind: 'failed', intent, failure: movedNothing(arrival.message) };
      return;
    }
    // The code below waits for the effect of these two actions.
    const isLookedFor = intent?.kind === 'undelegate' || intent?.kind === 'prepare';
    if (intent === null || (!isLookedFor && arrival?.outcome === 'still under way')) {
      this.#activity.value = { kind: 'landed', sent, message: arrival?.message ?? NOT_LOOKED_FOR };
      return;
    }
    this.#progress.value = afterLanding(this.#progress.peek(), intent, sent.signature);
    if (intent.kind === 'undelegate') return await this.#awaitSettlement(intent.wallet);
    if (intent.kind !== 'prepare') return await this.#begin(queue);
    // The transaction landed, so later failures must not offer to build it again.
    await this.#attempt(null, 'beyond', async () => {
      await this.#awaitQueue();
      await this.#begin(queue);
    });
  }

  /** Polls base until it shows the account undelegated. Failed reads are repeated. */
  async #awaitSettlement(wallet: string): Promise<void> {
    const sinceMs = this.#console.nowMs();
    let isRead = true;
    for (let looks = 1; looks <= LOOKS_MAX; looks++) {
      const isLooking = looks < LOOKS_MAX;
      this.#activity.value = { kind: 'settling', wallet, sinceMs, looks, isRead, isLooking };
      const shown = await this.#eataOf(wallet).catch(() => undefined);
      if (shown !== undefined && shown !== null && !shown.isDelegated) return this.#settled(wallet, shown);
      isRead = shown !== undefined;
      await this.#console.wait(LOOK_MS);
    }
  }

  /** Handles a settled account. Its balance can be withdrawn. */
  #settled(wallet: string, { amount }: ShownEata): void {
    if (this.#progress.peek().wallets?.[0] === wallet) this.#done({ hasUndelegated: true, settled: amount });
    this.#console.happened();
    this.cancel();
  }

  /** The current eATA of a wallet on base; null if there is none. */
  async #eataOf(wallet: string): Promise<ShownEata | null> {
    const eata = this.#accounts.peek().find((each) => each.wallet === wallet)?.eata;
    if (eata === undefined) return null;
    const params = [eata, { encoding: 'base64' }];
    const answer = await this.#console.readers.acting.fresh<{ readonly value: null }>(
      'getAccountInfo',
      params,
    );
    if (answer.kind === 'failed') throw new Error(answer.message);
    return eataOf(answer.value, answer.wire.slot);
  }

  #genesis(): string | null {
    return this.#console.state.peek()?.base.genesisHash ?? null;
  }

  #mint(): TableMint {
    const mint = playMint(this.#console.state.peek());
    if (mint === null) throw new Error('The service is configured without a mint.');
    return mint;
  }

  #say(words: string): void {
    this.#activity.value = { kind: 'busy', words };
  }

  #done(change: Partial<Progress>): void {
    this.#progress.value = { ...this.#progress.peek(), ...change };
  }

  /** Runs `work` and returns its result. On failure, shows the error on the stage and returns null. */
  async #attempt<T>(intent: Intent | null, phase: Phase, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.#activity.value = { kind: 'failed', failure: this.#failureOf(error, phase), intent };
      return null;
    }
  }

  #failureOf(error: unknown, phase: Phase): Failure {
    return failureOf(error, phase, this.#console.state.peek()?.failures);
  }
}

/** The initial state of a transaction with an unknown outcome. */
const UNSEEN = { kind: 'unknown', found: null, isLooking: true } as const;

/** The message for a landed transaction whose arrival was not checked. */
const NOT_LOOKED_FOR = 'Check the balances to see whether it arrived.';

type Landed = Extract<Submitted, { readonly outcome: 'landed' }>;

/** A final outcome of a transaction. */
type Ended = Landed | Extract<Submitted, { readonly outcome: 'expired' | 'failed' }>;

const unlanded = (ended: Exclude<Ended, Landed>): Failure =>
  ended.outcome === 'expired' ? expired(ended.sent.lastValidBlockHeight) : landedAndFailed(ended.message);
