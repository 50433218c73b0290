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

/** What a wallet has for shuttles besides, which take half a million lamports each. */
const LAMPORTS = 100_000_000_000;

/** The process is killed once up to so many operations of a round have been acknowledged. */
const ACKNOWLEDGEMENTS_MAX = 12;

/** Signatures are asked for so many at a time (Agave MAX_GET_SIGNATURE_STATUSES_QUERY_ITEMS). */
const STATUSES_MAX = 256;

/** How often the ledgers are asked for their present, ms. */
const TELL_MS = 10;

/** How long a start may take, ms, and how long it may take until something is acknowledged. */
const START_MS_MAX = 300_000;

/** How long it may take until what a killed process left has come to its end, ms. */
const SETTLEMENT_MS_MAX = 300_000;

/** Between two looks at whether it has, ms. */
const LOOK_MS = 200;

/** Length of a slot of base, ms: so short that a life has several leases of slots. */
const LEDGER_SLOT_MS = '50';

const LEDGERS: readonly LedgerName[] = ['base', 'ephemeral'];

/** What rounds of killing a whole stack came to. */
export interface StackKillFigures {
  readonly rounds: number;
  /**
   * Rounds in which the supervisor was killed as well, so that somebody else had to start the program again.
   */
  readonly treesKilled: number;
  readonly sent: number;
  readonly acknowledged: Readonly<Record<string, number>>;
  /** Operations that are on their ledger at the end. */
  readonly landed: number;
  /** Operations that landed without an acknowledgement that anybody heard. */
  readonly landedUnheard: number;
  /** Acknowledged operations that a restarted stack did not have. */
  readonly lost: number;
  /** Shuttles whose actions failed, so that what they carried went back to its owner; layout B. */
  readonly givenBack: number;
  /**
   * Balances, on base and in the rollup, the vault's and the supply, that were not the sum of what landed,
   * and payments that did not come to an end, over all rounds.
   */
  readonly wrongBalances: number;
  /**
   * Ledgers that after a restart were at a slot or a height before one that had been told, or denied a
   * blockhash.
   */
  readonly wentBack: number;
  /** Blockhashes that had been told and were too old after a restart, which proves nothing. */
  readonly expiredBlockhashes: number;
  /** Restarts after which the program did not serve. */
  readonly refusedRestarts: number;
  /** Rounds in which operations were under way when the process was killed. */
  readonly roundsInFlight: number;
  /** Restarts that found something to go on with, by what that was; one may have found several. */
  readonly restartsWith: RestartsWith;
  /** The longest it took after a restart until what had been under way had come to its end, ms. */
  readonly longestRestMs: number;
}

/** What restarts went on with. */
interface RestartsWith {
  /** Shuttles: actions to be run after a delegation, or what closes one afterwards. */
  readonly shuttles: number;
  /** Undelegations, payouts or callbacks, of which the books of the rollup say that they are not done. */
  readonly settlements: number;
  /** Payments in a transfer queue, and nothing of the other two. */
  readonly queued: number;
}

/** What is killed: the process that serves with its supervisor, or it alone. */
type Victim = 'tree' | 'stack';
const VICTIMS: readonly Victim[] = ['tree', 'stack'];

interface Present {
  readonly slot: number;
  readonly blockHeight: number;
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
}

/** How often, and of which programs. */
interface StackKillOptions {
  readonly rounds: number;
  readonly seed: string;
  /** The folder with the programs of layout B; localnet's own programs where it is null. */
  readonly programs: string | null;
  /** Is told after each round what all of them so far came to. */
  readonly tell?: (figures: StackKillFigures) => void;
}

/**
 * Kills the built program `rounds` times while wallets deposit, pay, come back and withdraw, and looks each
 * time at what is left.
 */
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

/** One program that is used and killed again and again. */
class StackKillChain {
  readonly #wallets: KeyPairSigner[] = [];
  readonly #folder: string;
  readonly #random: SeededRandom;
  readonly #programs: string | null;
  readonly #attempts = new Attempts();
  readonly #landed = new Set<Attempt>();
  /** Of those, the ones whose shuttle is closed, and those that it was given back to. */
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
  /** Of the one that was killed last. */
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

  /** One round; false when the program could not be started again. */
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

  /** Lets all wallets walk until enough is acknowledged, and kills. What was told of both ledgers last. */
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

  /** Kills the process that serves, which its supervisor starts again, or both. */
  #kill(victim: Victim): void {
    const stack = this.#running;
    const pid = stack.stackPid();
    if (victim === 'tree') {
      this.#counts.treesKilled++;
      // The stack would end in order if it saw its supervisor go.
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

  /** Looks every attempt up on its ledger. */
  async #lookUp(): Promise<void> {
    for (const ledger of LEDGERS) {
      const attempts = this.#attempts.all().filter((attempt) => attempt.ledger === ledger);
      for (const [attempt, status] of await statusesOf(this.#urlOf(ledger), attempts)) {
        if (status?.err === null) this.#landed.add(attempt);
        else if (attempt.isAcknowledged || this.#landed.has(attempt)) this.#counts.lost++;
      }
    }
  }

  /** Counts what a restarted program has to go on with, as long as it has not. */
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

  /** What is under way comes to its end; then everybody has what he is to have. */
  async #compareBalances(): Promise<void> {
    const begun = performance.now();
    // What is on its way to base may be refused to whoever asks.
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
   * Where the ledgers are not as the model has it, a sentence for each: what everybody has is what he began
   * with and what the operations that landed moved, but for those whose shuttle was given back.
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
      // One that was on its way back to base is settled first.
      compare(`${index} inside`, await insideOf(ledgerUrl, payments, wallet), inside[index]);
    }
    const vault = deriveAta(deriveVault(USDC as Address).address, USDC as Address, TOKEN_PROGRAM).address;
    for (const units of inside) vaultUnits += units;
    compare('the vault', await tokensOf(ledgerUrl, vault), vaultUnits);
    compare('the supply', await supplyOf(ledgerUrl), this.#supply);
    return differences;
  }

  /** Looks what became of shuttles; how many are still there. */
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

/** As it is now, not as of the last block that is over: blockhashes expire by that as well. */
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

/**
 * Base units in a wallet's ephemeral token account: what base says of one that is there, and the rollup of
 * all others.
 */
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

/** Base units in a token account; none before the account is made. */
async function tokensOf(url: string, account: Address): Promise<string> {
  const { value } = await callLedger<{ value: { data: [string] } | null }>(url, 'getAccountInfo', [
    account,
    { encoding: 'base64', commitment: 'confirmed' },
  ]);
  // SPL Token account: the amount is a u64 at 64.
  return value === null ? '0' : String(Buffer.from(value.data[0], 'base64').readBigUInt64LE(64));
}

/** All the base units there are, as the mint has them. */
async function supplyOf(url: string): Promise<string> {
  const { value } = await callLedger<{ value: { amount: string } }>(url, 'getTokenSupply', [USDC]);
  return value.amount;
}

const show = ({ slot, blockHeight, lastValidBlockHeight }: Present): string =>
  `slot ${slot}, height ${blockHeight}, blockhashes good up to ${lastValidBlockHeight}`;
