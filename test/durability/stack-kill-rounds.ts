import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyPairSigner } from '@solana/kit';
import { createFundedWallet, USDC } from '../../clients/wallet.ts';
import { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import { deriveEata, deriveVault } from '../../src/programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../src/programs/ephemeral-token/state.ts';
import type { Address } from '../../src/solana/address.ts';
import { PaymentsClient } from '../external-validator/payments-client.ts';
import { rollupUrlOf } from '../sdk-life/rollup-url.ts';
import { callLedger, startStack, waitFor, type StackProcess } from '../stack-process.ts';
import { Walker, type Attempt, type LedgerName, type WalkerHost } from './stack-walker.ts';

const WALLETS = 5;
const UNITS = 1_000_000_000;

/** The process is killed once up to so many operations of a round have been acknowledged. */
const ACKNOWLEDGEMENTS_MAX = 12;

/** Signatures are asked for so many at a time (Agave MAX_GET_SIGNATURE_STATUSES_QUERY_ITEMS). */
const STATUSES_MAX = 256;

/** How long a start may take, ms, and how long it may take until something is acknowledged. */
const START_MS_MAX = 120_000;

/** How long it may take until what a killed process left is settled, ms. */
const SETTLEMENT_MS_MAX = 60_000;

/** Length of a slot of base, ms: so short that a life has several leases of slots. */
const LEDGER_SLOT_MS = '50';

const LEDGERS: readonly LedgerName[] = ['base', 'ephemeral'];

/** What rounds of killing a whole stack came to. */
interface StackKillFigures {
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
  /**
   * Balances, on base and in the rollup, and the vault's, that were not the sum of what landed, over all
   * rounds.
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
}

interface Present {
  readonly slot: number;
  readonly blockHeight: number;
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
}

/**
 * Kills the built program `rounds` times while wallets deposit, pay, come back and withdraw, and looks each
 * time at what is left.
 */
export async function runStackKillRounds(rounds: number, seed: string): Promise<StackKillFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'spl-kill-'));
  const chain = new StackKillChain(join(folder, 'ledger'), new SeededRandom(seed));
  try {
    await chain.begin();
    for (let round = 0; round < rounds; round++) if (!(await chain.run())) break;
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
  readonly #attempts: Attempt[] = [];
  readonly #landed = new Set<Attempt>();
  readonly #counts = {
    rounds: 0,
    treesKilled: 0,
    lost: 0,
    wrongBalances: 0,
    wentBack: 0,
    expiredBlockhashes: 0,
    refusedRestarts: 0,
    roundsInFlight: 0,
  };
  #stack: StackProcess | undefined;
  /** Of the one that was killed last. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(folder: string, random: SeededRandom) {
    this.#folder = folder;
    this.#random = random;
  }

  async begin(): Promise<void> {
    this.#stack = await startStack(this.#folder, { env: { LEDGER_SLOT_MS } });
    while (this.#wallets.length < WALLETS) {
      this.#wallets.push(await createFundedWallet(this.#running.ledgerUrl, UNITS));
    }
  }

  async end(): Promise<void> {
    await this.#stack?.stop();
  }

  /** One round; false when the program could not be started again. */
  async run(): Promise<boolean> {
    const before = this.#attempts.length;
    const told = await this.#useUntilKilled();
    const attempts = this.#attempts.slice(before);
    this.#counts.rounds++;
    if (attempts.some(({ isAcknowledged }) => !isAcknowledged)) this.#counts.roundsInFlight++;
    if (!(await this.#isServedAgain())) {
      this.#counts.refusedRestarts++;
      return false;
    }
    for (const ledger of LEDGERS) await this.#comparePresent(ledger, told.get(ledger));
    await this.#lookUp();
    await this.#compareBalances();
    return true;
  }

  figures(): StackKillFigures {
    const acknowledged: Record<string, number> = {};
    for (const { operation, isAcknowledged } of this.#attempts) {
      if (isAcknowledged) acknowledged[operation] = (acknowledged[operation] ?? 0) + 1;
    }
    const landed = [...this.#landed];
    return {
      ...this.#counts,
      sent: this.#attempts.length,
      acknowledged,
      landed: landed.length,
      landedUnheard: landed.filter(({ isAcknowledged }) => !isAcknowledged).length,
    };
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
    const isTree = this.#random.integer(2) === 0;
    const kill = (): void => {
      if (stopping.signal.aborted) return;
      this.#kill(isTree);
      stopping.abort();
    };
    const host: WalkerHost = {
      wallets: this.#wallets,
      serviceUrl: this.#running.serviceUrl,
      stopping: stopping.signal,
      begin: (attempt) => void this.#attempts.push(attempt),
      acknowledge: () => {
        if (--toHear === 0) kill();
      },
    };
    const tell = async (ledger: LedgerName): Promise<void> => {
      while (!stopping.signal.aborted) {
        const present = await presentOf(this.#urlOf(ledger)).catch(() => null);
        if (present !== null) told.set(ledger, present);
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
  #kill(isTree: boolean): void {
    const stack = this.#running;
    const pid = stack.stackPid();
    if (isTree) {
      this.#counts.treesKilled++;
      // The stack would end in order if it saw its supervisor go.
      stack.child.kill('SIGSTOP');
    }
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    if (!isTree) return;
    stack.child.kill('SIGKILL');
    this.#stack = undefined;
    this.#ended = stack.ended;
  }

  async #isServedAgain(): Promise<boolean> {
    await this.#ended;
    try {
      this.#stack ??= await startStack(this.#folder, { env: { LEDGER_SLOT_MS } });
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
    if (now.slot < told.slot || now.blockHeight < told.blockHeight) this.#counts.wentBack++;
    const { value } = await callLedger<{ value: boolean }>(url, 'isBlockhashValid', [told.blockhash]);
    if (value) return;
    const { blockHeight } = await presentOf(url);
    if (blockHeight > told.lastValidBlockHeight) this.#counts.expiredBlockhashes++;
    else this.#counts.wentBack++;
  }

  /** Looks every attempt up on its ledger. */
  async #lookUp(): Promise<void> {
    for (const ledger of LEDGERS) {
      const attempts = this.#attempts.filter((attempt) => attempt.ledger === ledger);
      for (const [attempt, status] of await statusesOf(this.#urlOf(ledger), attempts)) {
        if (status?.err === null) this.#landed.add(attempt);
        else if (attempt.isAcknowledged || this.#landed.has(attempt)) this.#counts.lost++;
      }
    }
  }

  /** The model: what everybody has is what he began with and what the operations that landed moved. */
  async #compareBalances(): Promise<void> {
    const onBase = this.#wallets.map(() => UNITS);
    const inside = this.#wallets.map(() => 0);
    for (const { effect } of this.#landed) {
      for (const [wallet, units] of effect.base) onBase[wallet] = (onBase[wallet] as number) + units;
      for (const [wallet, units] of effect.inside) inside[wallet] = (inside[wallet] as number) + units;
    }
    const { ledgerUrl, serviceUrl } = this.#running;
    const payments = new PaymentsClient(serviceUrl);
    for (const [index, wallet] of this.#wallets.entries()) {
      this.#compare(`${index} on base`, await payments.balanceOnBase(wallet), onBase[index]);
      // One that was on its way back to base is settled first.
      const expected = String(inside[index]);
      let found = '';
      const isExact = async (): Promise<boolean> =>
        (found = await insideOf(ledgerUrl, payments, wallet)) === expected;
      await waitFor(isExact, SETTLEMENT_MS_MAX).catch(() => undefined);
      this.#compare(`${index} inside`, found, inside[index]);
    }
    const vault = deriveAta(deriveVault(USDC as Address).address, USDC as Address, TOKEN_PROGRAM).address;
    const sum = inside.reduce((total, units) => total + units);
    this.#compare('the vault', await tokensOf(ledgerUrl, vault), sum);
  }

  #compare(whose: string, found: string, expected: number | undefined): void {
    if (found === String(expected)) return;
    this.#counts.wrongBalances++;
    console.error(`round ${this.#counts.rounds}: ${whose} has ${found}, and ${expected} come of what landed`);
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

async function presentOf(url: string): Promise<Present> {
  const { absoluteSlot, blockHeight } = await callLedger<{ absoluteSlot: number; blockHeight: number }>(
    url,
    'getEpochInfo',
  );
  const { value } = await callLedger<{ value: { blockhash: string; lastValidBlockHeight: number } }>(
    url,
    'getLatestBlockhash',
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
    [address, { encoding: 'base64' }],
  );
  if (value === null) return '0';
  if (value.owner !== EPHEMERAL_TOKEN_PROGRAM) return await payments.balanceInRollup(wallet);
  return String(decodeEata(new Uint8Array(Buffer.from(value.data[0], 'base64')))?.amount);
}

/** Base units in a token account; none before the account is made. */
async function tokensOf(url: string, account: Address): Promise<string> {
  const { value } = await callLedger<{ value: { data: [string] } | null }>(url, 'getAccountInfo', [
    account,
    { encoding: 'base64' },
  ]);
  // SPL Token account: the amount is a u64 at 64.
  return value === null ? '0' : String(Buffer.from(value.data[0], 'base64').readBigUInt64LE(64));
}
