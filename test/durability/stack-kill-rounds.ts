import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFundedWallet, USDC } from '../../clients/wallet.ts';
import { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import { deriveEata, deriveVault } from '../../src/programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../src/programs/ephemeral-token/state.ts';
import type { Address } from '../../src/solana/address.ts';
import { PaymentsClient } from '../external-validator/payments-client.ts';
import { rollupUrlOf } from '../sdk-life/rollup-url.ts';
import { callLedger, type StackProcess, startStack, waitFor } from '../stack-process.ts';
import { type Attempt, Attempts, type LedgerName } from './attempts.ts';
import { endOfShuttle } from './opened-shuttle.ts';
import { Walker, type WalkerHost } from './stack-walker.ts';
import type { Party } from './step.ts';
import { drawStepOfLayoutA } from './steps-of-layout-a.ts';
import { drawStepOfLayoutB } from './steps-of-layout-b.ts';

const WALLETS = 5;
const UNITS = 1_000_000_000;

/** Additional lamports of a wallet for shuttles, which cost half a million each. */
const LAMPORTS = 100_000_000_000;

/** Maximum acknowledged operations in a round before the kill. */
const ACKNOWLEDGEMENTS_MAX = 12;

/** Maximum signatures per status request (Agave MAX_GET_SIGNATURE_STATUSES_QUERY_ITEMS). */
const STATUSES_MAX = 256;

/** Interval at which the heads of the ledgers are read, in ms. */
const TELL_MS = 10;

/** Timeout of a start, and of the first acknowledgement, in ms. */
const START_MS_MAX = 300_000;

/** Timeout until all pending work of a killed process is complete, in ms. */
const SETTLEMENT_MS_MAX = 300_000;

/** Interval of checks whether it is complete, in ms. */
const LOOK_MS = 200;

/** Slot duration of base, in ms. It is so short that each process uses several leases of slots. */
const LEDGER_SLOT_MS = '50';

const LEDGERS: readonly LedgerName[] = ['base', 'ephemeral'];

/** The figures of kill rounds with a whole stack. */
export interface StackKillFigures {
  readonly rounds: number;
  /** Rounds in which the supervisor was killed, too, and the test restarted the program. */
  readonly treesKilled: number;
  readonly sent: number;
  readonly acknowledged: Readonly<Record<string, number>>;
  /** Operations that landed. */
  readonly landed: number;
  /** Operations that landed without a received acknowledgement. */
  readonly landedUnheard: number;
  /** Acknowledged operations that a restarted stack did not have. */
  readonly lost: number;
  /** Shuttles whose actions failed and whose tokens were returned to their owner; layout B. */
  readonly givenBack: number;
  /**
   * Balances (base, rollup, vaults, supply) that differ from the landed operations, and payments that never
   * end.
   */
  readonly wrongBalances: number;
  /** Ledgers that were before a reported slot or height after a restart, or rejected a reported blockhash. */
  readonly wentBack: number;
  /** Reported blockhashes that had expired after a restart, which proves nothing. */
  readonly expiredBlockhashes: number;
  /** Restarts after which the program did not serve. */
  readonly refusedRestarts: number;
  /** Rounds with pending operations at the kill. */
  readonly roundsInFlight: number;
  /** Restarts with pending work, by its kind. A restart may count for several kinds. */
  readonly restartsWith: RestartsWith;
  /** Longest time after a restart until all pending work was complete, in ms. */
  readonly longestRestMs: number;
}

/** Number of restarts by kind of pending work. */
interface RestartsWith {
  /** Shuttles with pending actions or a pending close. */
  readonly shuttles: number;
  /** Undelegations, payouts or callbacks that are pending in the rollup's books. */
  readonly settlements: number;
  /** Payments in a transfer queue, without the other two. */
  readonly queued: number;
}

/** The killed processes: the serving process with its supervisor, or alone. */
type Victim = 'tree' | 'stack';
const VICTIMS: readonly Victim[] = ['tree', 'stack'];

interface Present {
  readonly slot: number;
  readonly blockHeight: number;
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
}

/** Options of kill rounds with a stack. */
interface StackKillOptions {
  readonly rounds: number;
  readonly seed: string;
  /** Folder with the programs of layout B; null for localnet's own programs. */
  readonly programs: string | null;
  /** Called after each round with the figures so far. */
  readonly tell?: (figures: StackKillFigures) => void;
}

/** Kills the built program `rounds` times while wallets use it, and checks both ledgers after each kill. */
export async function runStackKillRounds({
  rounds,
  seed,
  programs,
  tell = () => undefined,
}: StackKillOptions): Promise<StackKillFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'spl-kill-'));
  const chain = new StackKillChain(join(folder, 'ledger'), new SeededRandom(seed), programs);
  try {
    await chain.begin();
    for (let round = 0; round < rounds; round++) {
      const isServedAgain = await chain.run();
      tell(chain.figures());
      if (!isServedAgain) break;
    }
    return chain.figures();
  } finally {
    await chain.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A program that is used and killed repeatedly. */
class StackKillChain {
  readonly #wallets: KeyPairSigner[] = [];
  readonly #folder: string;
  readonly #random: SeededRandom;
  readonly #programs: string | null;
  readonly #attempts = new Attempts();
  readonly #landed = new Set<Attempt>();
  /** Attempts whose shuttle was closed, and attempts whose shuttle was returned. */
  readonly #closed = new Set<Attempt>();
  readonly #givenBack = new Set<Attempt>();
  readonly #counts = {
    rounds: 0,
    treesKilled: 0,
    lost: 0,
    wrongBalances: 0,
    wentBack: 0,
    expiredBlockhashes: 0,
    refusedRestarts: 0,
    roundsInFlight: 0,
    longestRestMs: 0,
    restartsWith: { shuttles: 0, settlements: 0, queued: 0 },
  };
  #stack: StackProcess | undefined;
  #frozen = '';
  #supply = '';
  /** Resolves when the last killed process has ended. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(folder: string, random: SeededRandom, programs: string | null) {
    this.#folder = folder;
    this.#random = random;
    this.#programs = programs;
  }

  async begin(): Promise<void> {
    this.#stack = await this.#start();
    const { ledgerUrl, serviceUrl } = this.#stack;
    while (this.#wallets.length < WALLETS) {
      const wallet = await createFundedWallet(ledgerUrl, UNITS);
      await callLedger(ledgerUrl, 'requestAirdrop', [wallet.address, LAMPORTS]);
      this.#wallets.push(wallet);
    }
    this.#frozen = (await generateKeyPairSigner()).address;
    await callLedger(ledgerUrl, 'surfnet_setTokenAccount', [
      this.#frozen,
      USDC,
      { amount: 0, state: 'frozen' },
    ]);
    this.#supply = await supplyOf(ledgerUrl);
    if (this.#programs === null) return;
    const [payer] = this.#wallets as [KeyPairSigner];
    const client = new PaymentsClient(serviceUrl);
    await client.do(payer, 'initialize-mint', { payer: payer.address, mint: USDC });
  }

  async end(): Promise<void> {
    await this.#stack?.stop();
  }

  /** Runs one round. Returns false if the program could not be restarted. */
  async run(): Promise<boolean> {
    const before = this.#attempts.all().length;
    const told = await this.#useUntilKilled();
    const attempts = this.#attempts.all().slice(before);
    this.#counts.rounds++;
    if (attempts.some(({ isAcknowledged }) => !isAcknowledged)) this.#counts.roundsInFlight++;
    if (!(await this.#isServedAgain())) {
      this.#counts.refusedRestarts++;
      return false;
    }
    for (const ledger of LEDGERS) await this.#comparePresent(ledger, told.get(ledger));
    await this.#lookUp();
    await this.#noteUnderWay();
    await this.#compareBalances();
    return true;
  }

  figures(): StackKillFigures {
    const acknowledged: Record<string, number> = {};
    for (const { kind, isAcknowledged } of this.#attempts.all()) {
      if (isAcknowledged) acknowledged[kind] = (acknowledged[kind] ?? 0) + 1;
    }
    const landed = [...this.#landed];
    return {
      ...this.#counts,
      restartsWith: { ...this.#counts.restartsWith },
      sent: this.#attempts.all().length,
      acknowledged,
      landed: landed.length,
      landedUnheard: landed.filter(({ isAcknowledged }) => !isAcknowledged).length,
      givenBack: this.#givenBack.size,
    };
  }

  #start(): Promise<StackProcess> {
    const args = this.#programs === null ? [] : ['--programs', this.#programs];
    return startStack(this.#folder, { args, env: { LEDGER_SLOT_MS } });
  }

  get #party(): Party {
    return { wallets: this.#wallets.map(({ address }) => address), frozen: this.#frozen };
  }

  get #running(): StackProcess {
    if (this.#stack === undefined) throw new Error('nothing runs');
    return this.#stack;
  }

  #urlOf(ledger: LedgerName): string {
    return ledger === 'base' ? this.#running.ledgerUrl : rollupUrlOf(this.#running);
  }

  /** Runs all wallets until enough is acknowledged, then kills. Returns the last heads of both ledgers. */
  async #useUntilKilled(): Promise<ReadonlyMap<LedgerName, Present>> {
    const stopping = new AbortController();
    const told = new Map<LedgerName, Present>();
    let toHear = 1 + this.#random.integer(ACKNOWLEDGEMENTS_MAX);
    const victim = VICTIMS[this.#random.integer(VICTIMS.length)] as Victim;
    const kill = (): void => {
      if (stopping.signal.aborted) return;
      this.#kill(victim);
      stopping.abort();
    };
    const host: WalkerHost = {
      wallets: this.#wallets,
      party: this.#party,
      draw: this.#programs === null ? drawStepOfLayoutA : drawStepOfLayoutB,
      serviceUrl: this.#running.serviceUrl,
      stopping: stopping.signal,
      begin: (attempt) => this.#attempts.begin(attempt),
      acknowledge: () => {
        if (--toHear === 0) kill();
      },
    };
    const tell = async (ledger: LedgerName): Promise<void> => {
      while (!stopping.signal.aborted) {
        const present = await presentOf(this.#urlOf(ledger)).catch(() => null);
        if (present !== null) told.set(ledger, present);
        await sleep(TELL_MS);
      }
    };
    const walkers = this.#wallets.map((_, index) => {
      const seed = Buffer.from(this.#random.bytes(8)).toString('hex');
      return new Walker(host, index, new SeededRandom(seed)).walk();
    });
    const timeout = setTimeout(() => {
      console.error(`nothing is acknowledged any more: ${this.#running.output().stderr.slice(-2_000)}`);
      kill();
    }, START_MS_MAX);
    await Promise.all([...walkers, ...LEDGERS.map(tell)]);
    clearTimeout(timeout);
    return told;
  }

  /** Kills the serving process, which its supervisor restarts, or both. */
  #kill(victim: Victim): void {
    const stack = this.#running;
    const pid = stack.stackPid();
    if (victim === 'tree') {
      this.#counts.treesKilled++;
      // Without this, the stack would shut down cleanly when its supervisor ends.
      stack.child.kill('SIGSTOP');
    }
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    if (victim === 'stack') return;
    stack.child.kill('SIGKILL');
    this.#stack = undefined;
    this.#ended = stack.ended;
  }

  async #isServedAgain(): Promise<boolean> {
    await this.#ended;
    try {
      this.#stack ??= await this.#start();
      const { ended, serviceUrl } = this.#stack;
      const isReady = async (): Promise<boolean> => (await fetch(`${serviceUrl}/ready`)).ok;
      const isOver = ended.then(({ stderr }) => {
        throw new Error(stderr);
      });
      await Promise.race([waitFor(isReady, START_MS_MAX), isOver]);
      return true;
    } catch (error) {
      console.error(`not started again: ${(error as Error).message}`);
      return false;
    }
  }

  async #comparePresent(ledger: LedgerName, told: Present | undefined): Promise<void> {
    if (told === undefined) return;
    const url = this.#urlOf(ledger);
    const now = await presentOf(url);
    if (now.slot < told.slot || now.blockHeight < told.blockHeight) this.#noteWentBack(ledger, told, now);
    const { value } = await callLedger<{ value: boolean }>(url, 'isBlockhashValid', [told.blockhash]);
    if (value) return;
    const later = await presentOf(url);
    if (later.blockHeight > told.lastValidBlockHeight) this.#counts.expiredBlockhashes++;
    else this.#noteWentBack(ledger, told, later);
  }

  #noteWentBack(ledger: LedgerName, told: Present, now: Present): void {
    this.#counts.wentBack++;
    console.error(`round ${this.#counts.rounds}: ${ledger} had told ${show(told)} and tells ${show(now)}`);
  }

  /** Looks up every attempt on its ledger. */
  async #lookUp(): Promise<void> {
    for (const ledger of LEDGERS) {
      const attempts = this.#attempts.all().filter((attempt) => attempt.ledger === ledger);
      for (const [attempt, status] of await statusesOf(this.#urlOf(ledger), attempts)) {
        if (status?.err === null) this.#landed.add(attempt);
        else if (attempt.isAcknowledged || this.#landed.has(attempt)) this.#counts.lost++;
      }
    }
  }

  /** Counts the pending work of a restarted program. */
  async #noteUnderWay(): Promise<void> {
    const { restartsWith } = this.#counts;
    const [shuttles, settlements] = [await this.#endShuttles(), await this.#pendingSettlements()];
    if (shuttles > 0) restartsWith.shuttles++;
    if (settlements > 0) restartsWith.settlements++;
    if (shuttles + settlements > 0) return;
    const differences = await this.#differences().catch(() => []);
    if (differences.length > 0) restartsWith.queued++;
  }

  async #pendingSettlements(): Promise<number> {
    const metrics = await (await fetch(`${this.#running.serviceUrl}/metrics`)).text();
    return Number(/^rollup_settlements_pending (.*)$/m.exec(metrics)?.[1]);
  }

  /** Waits until all pending work is complete, then compares all balances. */
  async #compareBalances(): Promise<void> {
    const begun = performance.now();
    // Reads of an account that is being settled may be rejected.
    const look = (): Promise<string[]> =>
      this.#differences().catch((error: unknown) => [(error as Error).message]);
    let found = await look();
    while (found.length > 0 && performance.now() - begun < SETTLEMENT_MS_MAX) {
      await sleep(LOOK_MS);
      found = await look();
    }
    this.#counts.longestRestMs = Math.max(this.#counts.longestRestMs, Math.round(performance.now() - begun));
    this.#counts.wrongBalances += found.length;
    for (const difference of found) console.error(`round ${this.#counts.rounds}: ${difference}`);
    if (found.length > 0) console.error(this.#running.output().stderr.slice(-2_000));
  }

  /**
   * Describes every difference from the model: a balance must be the initial balance plus the effects of
   * landed operations, except for those whose shuttle was returned.
   */
  async #differences(): Promise<string[]> {
    const { ledgerUrl, serviceUrl } = this.#running;
    const open = await this.#endShuttles();
    if (open > 0) return [`${open} shuttles are open`];
    const pending = await this.#pendingSettlements();
    if (pending !== 0) return [`${pending} are to be settled`];
    const onBase = this.#wallets.map(() => UNITS);
    const inside = this.#wallets.map(() => 0);
    let vaultUnits = 0;
    for (const { effect } of [...this.#landed].filter((attempt) => !this.#givenBack.has(attempt))) {
      for (const [wallet, units] of effect.base) onBase[wallet] = (onBase[wallet] as number) + units;
      for (const [wallet, units] of effect.inside) inside[wallet] = (inside[wallet] as number) + units;
      vaultUnits += effect.fee;
    }
    const payments = new PaymentsClient(serviceUrl);
    const differences: string[] = [];
    const compare = (whose: string, found: string, expected: number | string | undefined): void => {
      if (found === String(expected)) return;
      differences.push(`${whose} has ${found}, and ${expected} come of what landed`);
    };
    for (const [index, wallet] of this.#wallets.entries()) {
      compare(`${index} on base`, await payments.balanceOnBase(wallet), onBase[index]);
      // An account on its way back to base is settled first.
      compare(`${index} inside`, await insideOf(ledgerUrl, payments, wallet), inside[index]);
    }
    const vault = deriveAta(deriveVault(USDC as Address).address, USDC as Address, TOKEN_PROGRAM).address;
    for (const units of inside) vaultUnits += units;
    compare('the vault', await tokensOf(ledgerUrl, vault), vaultUnits);
    compare('the supply', await supplyOf(ledgerUrl), this.#supply);
    return differences;
  }

  /** Updates the states of shuttles. Returns the number of open ones. */
  async #endShuttles(): Promise<number> {
    let open = 0;
    for (const attempt of this.#landed) {
      if (attempt.shuttle === null || this.#closed.has(attempt)) continue;
      const end = await endOfShuttle(this.#running.ledgerUrl, attempt.shuttle);
      if (end === 'open') open++;
      else this.#closed.add(attempt);
      if (end === 'given back') this.#givenBack.add(attempt);
    }
    return open;
  }
}

type Status = { readonly err: unknown } | null;

async function statusesOf(url: string, attempts: readonly Attempt[]): Promise<Map<Attempt, Status>> {
  const statuses = new Map<Attempt, Status>();
  for (let at = 0; at < attempts.length; at += STATUSES_MAX) {
    const asked = attempts.slice(at, at + STATUSES_MAX);
    const signatures = asked.map(({ signature }) => signature);
    const params = [signatures, { searchTransactionHistory: true }];
    const { value } = await callLedger<{ value: Status[] }>(url, 'getSignatureStatuses', params);
    for (const [index, attempt] of asked.entries()) statuses.set(attempt, value[index] ?? null);
  }
  return statuses;
}

/**
 * Reads the current head of a ledger. The last finished block would be too old: blockhashes expire by the
 * head.
 */
async function presentOf(url: string): Promise<Present> {
  const now = [{ commitment: 'processed' }];
  const { absoluteSlot, blockHeight } = await callLedger<{ absoluteSlot: number; blockHeight: number }>(
    url,
    'getEpochInfo',
    now,
  );
  const { value } = await callLedger<{ value: { blockhash: string; lastValidBlockHeight: number } }>(
    url,
    'getLatestBlockhash',
    now,
  );
  return { slot: absoluteSlot, blockHeight, ...value };
}

/** Returns the base units in a wallet's ephemeral token account, which is on base or on the rollup. */
async function insideOf(url: string, payments: PaymentsClient, wallet: KeyPairSigner): Promise<string> {
  const { address } = deriveEata(wallet.address as string as Address, USDC as Address);
  const { value } = await callLedger<{ value: { owner: string; data: [string] } | null }>(
    url,
    'getAccountInfo',
    [address, { encoding: 'base64', commitment: 'confirmed' }],
  );
  if (value === null) return '0';
  if (value.owner !== EPHEMERAL_TOKEN_PROGRAM) return await payments.balanceInRollup(wallet);
  return String(decodeEata(new Uint8Array(Buffer.from(value.data[0], 'base64')))?.amount);
}

/** Returns the base units in a token account; 0 if it does not exist. */
async function tokensOf(url: string, account: Address): Promise<string> {
  const { value } = await callLedger<{ value: { data: [string] } | null }>(url, 'getAccountInfo', [
    account,
    { encoding: 'base64', commitment: 'confirmed' },
  ]);
  // SPL Token account: the amount is a u64 at 64.
  return value === null ? '0' : String(Buffer.from(value.data[0], 'base64').readBigUInt64LE(64));
}

/** Returns the supply of the mint, in base units. */
async function supplyOf(url: string): Promise<string> {
  const { value } = await callLedger<{ value: { amount: string } }>(url, 'getTokenSupply', [USDC]);
  return value.amount;
}

const show = ({ slot, blockHeight, lastValidBlockHeight }: Present): string =>
  `slot ${slot}, height ${blockHeight}, blockhashes good up to ${lastValidBlockHeight}`;
