import { describe, expect, it } from 'vitest';
import { HandTime } from '../../src/chain/testing/hand-time.ts';
import type { Keypair } from '../../src/ledger/keypair.ts';
import { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { transferTokens } from '../../src/programs/token/instructions.ts';
import { CrashStores } from '../../src/rollup/testing/crash-stores.ts';
import { LAYOUT_B_FOLDER } from '../../src/rollup/testing/layout-b-genesis.ts';
import { openLayoutBScene, type LayoutBScene } from '../../src/rollup/testing/layout-b-scene.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { viewOf } from '../../src/solana/view-of.ts';

/** For longer walks, or to walk one again: `ROLLUP_MODEL_STEPS=5000 ROLLUP_MODEL_SEED=any`. */
const STEPS = Number(process.env['ROLLUP_MODEL_STEPS'] ?? 250);
const SEED = process.env['ROLLUP_MODEL_SEED'] ?? 'layout b';

const WALLETS = 4;
const STARTING_BALANCE = 10_000_000n;
/** Steps between two looks at everything. */
const ROUND = 10;
/** Longer than any delay, and than actions that fail are tried again. */
const REST_MS = 30_000;

/** What a wallet has. */
interface Holding {
  readonly wallet: Keypair;
  /** Where its eATA is. */
  place: 'none' | 'base' | 'rollup';
  /** Base units in the ATA on base. */
  ata: bigint;
  /** Base units that queues are to pay into it. */
  arriving: bigint;
  /** Base units in the eATA, wherever it is. */
  held: bigint;
}

/** Payments of layout B at random, beside the few numbers they should come to. */
class Walk {
  #stores = new CrashStores();
  readonly #time = new HandTime();
  readonly #random = new SeededRandom(SEED);
  readonly #holdings: Holding[] = [];
  #scene: LayoutBScene | undefined;
  /** What private payments from base to base have cost. */
  #fees = 0n;
  #groups = 0;
  #openings = 0;
  readonly done = new Map<string, number>();

  async begin(): Promise<void> {
    await this.#open();
    await this.#live.initializeMint();
    for (let count = 0; count < WALLETS; count++) {
      const wallet = await this.#live.wallet(STARTING_BALANCE);
      this.#holdings.push({ wallet, place: 'none', ata: STARTING_BALANCE, arriving: 0n, held: 0n });
    }
  }

  async step(): Promise<void> {
    const [of, to] = [this.#anybody(), this.#anybody()];
    const kinds = [
      ['deposit', () => this.#deposit(of)],
      ['private payment', () => this.#payPrivately(of, to)],
      ['payment to base', () => this.#payToBase(of, to)],
      ['payment on the rollup', () => this.#payOnRollup(of, to)],
      ['withdrawal', () => this.#withdraw(of)],
      ['withdrawal of too much', () => this.#withdrawTooMuch(of)],
      ['undelegation', () => this.#undelegate(of)],
      ['direct withdrawal', () => this.#withdrawDirectly(of)],
      ['restart', () => this.#restart()],
    ] as const;
    const [kind, run] = kinds[this.#below(kinds.length)] as (typeof kinds)[number];
    if (await run()) this.done.set(kind, (this.done.get(kind) ?? 0) + 1);
    await this.#time.pass(this.#below(700));
  }

  /** Lets everything come to rest and compares every number. */
  async compare(when: string): Promise<void> {
    await this.#live.rollup.settled();
    await this.#time.pass(REST_MS);
    await this.#live.rollup.settled();
    const { base, rollup, queue } = this.#live;
    expect(rollup.settlement, when).toEqual({ pending: 0, stalled: 0, halted: [] });
    for (const [index, holding] of this.#holdings.entries()) {
      holding.ata += holding.arriving;
      holding.arriving = 0n;
      const { place, ata, held } = holding;
      const { address } = holding.wallet;
      const whose = `${when}: wallet ${index}`;
      expect(this.#live.tokens(base, address), whose).toBe(ata);
      if (place === 'rollup') expect(this.#live.tokens(rollup, address), whose).toBe(held);
      if (place === 'base') expect(this.#live.eataTokens(base, address), whose).toBe(held);
    }
    expect(this.#live.tokens(rollup, queue), when).toBe(this.#fees);
    const held = this.#holdings.reduce((sum, each) => sum + each.held, 0n);
    expect(this.#live.vaultTokens(), when).toBe(held + this.#fees);
  }

  async end(): Promise<void> {
    await this.#live.close();
  }

  async #deposit(of: Holding): Promise<boolean> {
    const amount = this.#amount(of.ata);
    if (amount === 0n) return false;
    await this.#onBase(of, ...this.#live.deposit(of.wallet, amount));
    of.ata -= amount;
    of.held += amount;
    of.place = 'rollup';
    return true;
  }

  async #payPrivately(of: Holding, to: Holding): Promise<boolean> {
    const amount = this.#amount((of.ata * 99n) / 100n);
    if (amount < 10n) return false;
    const terms = {
      minDelayMs: BigInt(this.#below(3_000)),
      maxDelayMs: BigInt(3_000 + this.#below(3_000)),
      split: 1 + this.#below(3),
      clientRefId: null,
    };
    await this.#onBase(of, ...this.#live.privateTransfer(of.wallet, to.wallet.address, amount, terms));
    const fee = (amount * 10n) / 10_000n;
    of.ata -= amount + fee;
    of.place = 'rollup';
    to.arriving += amount;
    this.#fees += fee;
    return true;
  }

  async #payToBase(of: Holding, to: Holding): Promise<boolean> {
    const amount = this.#amount(of.held);
    if (of.place !== 'rollup' || amount === 0n) return false;
    const payment = this.#live.queueTransfer(of.wallet, to.wallet.address, amount, {
      groupId: ++this.#groups,
    });
    await this.#onRollup(of, payment);
    of.held -= amount;
    to.arriving += amount;
    return true;
  }

  async #payOnRollup(of: Holding, to: Holding): Promise<boolean> {
    const amount = this.#amount(of.held);
    if (of.place !== 'rollup' || to.place !== 'rollup' || amount === 0n) return false;
    const source = this.#live.ataOf(of.wallet.address);
    const destination = this.#live.ataOf(to.wallet.address);
    const accounts = { source, destination, authority: of.wallet.address };
    await this.#onRollup(of, transferTokens(this.#live.tokenProgram, accounts, amount));
    of.held -= amount;
    to.held += amount;
    return true;
  }

  async #withdraw(of: Holding): Promise<boolean> {
    const amount = this.#amount(of.held);
    if (of.place !== 'rollup' || amount === 0n) return false;
    await this.#onBase(of, ...this.#live.withdrawal(of.wallet, amount));
    of.held -= amount;
    of.ata += amount;
    return true;
  }

  /** Nothing comes of it: the shuttle goes back. */
  async #withdrawTooMuch(of: Holding): Promise<boolean> {
    if (of.place !== 'rollup') return false;
    await this.#onBase(of, ...this.#live.withdrawal(of.wallet, STARTING_BALANCE * BigInt(WALLETS)));
    return true;
  }

  async #undelegate(of: Holding): Promise<boolean> {
    if (of.place !== 'rollup') return false;
    await this.#onRollup(of, this.#live.undelegation(of.wallet));
    of.place = 'base';
    return true;
  }

  async #withdrawDirectly(of: Holding): Promise<boolean> {
    const amount = this.#amount(of.held);
    if (of.place !== 'base' || amount === 0n) return false;
    await this.#onBase(of, this.#live.directWithdrawal(of.wallet, amount));
    of.held -= amount;
    of.ata += amount;
    return true;
  }

  /** Whatever is under way, both ledgers are opened again with what was durable. */
  async #restart(): Promise<boolean> {
    await this.#open();
    return true;
  }

  async #onBase({ wallet }: Holding, ...instructions: Instruction[]): Promise<void> {
    await this.#live.must(this.#live.base, wallet, ...instructions);
    await this.#live.rollup.settled();
  }

  async #onRollup({ wallet }: Holding, ...instructions: Instruction[]): Promise<void> {
    await this.#live.must(this.#live.rollup, wallet, ...instructions);
    await this.#live.rollup.settled();
  }

  async #open(): Promise<void> {
    const before = this.#scene;
    this.#stores = new CrashStores(this.#stores.written);
    // What the one before still does is in stores that nobody reads again.
    await before?.close();
    this.#scene = await openLayoutBScene(this.#stores.open(), {
      time: this.#time,
      random: new SeededRandom(`${SEED} ${this.#openings++}`),
      logger: silentLogger,
      shuttlesBefore: before?.shuttles ?? 0,
    });
  }

  get #live(): LayoutBScene {
    if (this.#scene === undefined) throw new Error('the walk has not begun');
    return this.#scene;
  }

  #anybody(): Holding {
    return this.#holdings[this.#below(WALLETS)] as Holding;
  }

  /** Base units up to `max`, and often all of it. */
  #amount(max: bigint): bigint {
    return this.#below(4) === 0 ? max : (max * BigInt(this.#below(1_000))) / 1_000n;
  }

  #below(end: number): number {
    return viewOf(this.#random.bytes(4)).getUint32(0, true) % end;
  }
}

describe.skipIf(LAYOUT_B_FOLDER === null)('the rollup of layout B and a model of it', () => {
  it(
    'agree on every number over a random history',
    async () => {
      const walk = new Walk();
      await walk.begin();
      for (let step = 0; step < STEPS; step++) {
        await walk.step();
        if (step % ROUND === ROUND - 1) await walk.compare(`after step ${step + 1}`);
      }
      await walk.end();
      if (process.env['ROLLUP_MODEL_STEPS'] !== undefined) console.info(walk.done);
      // The walk has to have been through all of it to say anything.
      expect([...walk.done.keys()]).toHaveLength(9);
    },
    Math.max(600_000, STEPS * 1_000),
  );
});
