import { inspect } from 'node:util';
import { SeededRandom } from '../../../src/ledger/testing/seeded-random.ts';
import { silentLogger, type Logger } from '../../../src/ports/logger.ts';
import { BooksView } from '../../../src/rollup/books/books.ts';
import { endOfShuttle, type Attempt, type Draft, type Moves } from './attempt.ts';
import { directWithdrawalOf, drawOperation, undelegationOf } from './operations.ts';
import type { Purse, Room } from './room.ts';
import { World } from './world.ts';

/** The figures of a walk. */
export interface LayoutBFigures {
  readonly steps: number;
  /** Operations that landed, by kind. */
  readonly landed: ReadonlyMap<string, number>;
  /** Operations that were refused, or lost in a crash before they were durable. */
  readonly fruitless: number;
  /** Shuttles that were returned with their tokens. */
  readonly back: number;
  readonly crashes: number;
  /** Operations that were pending in a crash, and how many of them had landed. */
  readonly interrupted: number;
  readonly interruptedLanded: number;
}

/** Number of crashes, and of full comparisons at rest, per 1,000 steps. */
const CRASHES = 25;
const RESTS = 50;

/** Maximum number of writes that a crash undoes, newest first. Half of the crashes undo none. */
const LOST_WRITES_MAX = 15;

/** Maximum number of operations that start right before a crash. */
const CUT_SHORT_MAX = 3;

/** Maximum number of turns of the event loop after a step. */
const TURNS_MAX = 40;

/** Timeout until all pending work is complete, in ms of the simulated clock, and its step. */
const REST_MS_MAX = 600_000;
const REST_MS = 1_000;

/**
 * Runs a random history of operations, crashes and clock jumps on a localnet of layout B, repeatable by its
 * seed. Compares it with a model: every balance is the initial balance plus the effects of landed operations.
 * Fails on any difference.
 */
export async function walkLayoutB(seed: string, steps: number): Promise<LayoutBFigures> {
  const walker = new LayoutBWalker(seed);
  await walker.begin();
  for (let step = 1; step <= steps; step++) await walker.step();
  await walker.finish();
  return walker.figures;
}

/** The logged error for failed actions, whose tokens are returned. A walk causes no other errors. */
const SENT_BACK = 'the actions of a delegation failed: its tokens are returned';

class LayoutBWalker {
  readonly figures = {
    steps: 0,
    landed: new Map<string, number>(),
    fruitless: 0,
    back: 0,
    crashes: 0,
    interrupted: 0,
    interruptedLanded: 0,
  };
  readonly #seed: string;
  readonly #random: SeededRandom;
  readonly #world: World;
  /** The attempts since everything was at rest. */
  #attempts: Attempt[] = [];
  #underWay = new Set<Promise<void>>();
  /** Number of writes that no crash undoes. After them, everything was at rest or a process started. */
  #keptWrites = 0;
  /** The purses that were on the rollup when everything was last at rest. */
  #onRollup = new Set<Purse>();
  /** Logged errors that a walk must not cause. */
  readonly #errors: string[] = [];

  constructor(seed: string) {
    this.#seed = seed;
    this.#random = new SeededRandom(seed);
    const logger: Logger = {
      ...silentLogger,
      error: (fields, message) => {
        if (message !== SENT_BACK) this.#errors.push(`${message}: ${inspect(fields)}`);
      },
    };
    this.#world = new World(seed, logger);
  }

  async begin(): Promise<void> {
    await this.#world.begin();
    await this.#rest();
  }

  async step(): Promise<void> {
    this.figures.steps++;
    await this.#step();
    this.#world.scene.rollup.assertExactClaims();
  }

  async #step(): Promise<void> {
    const die = this.#random.integer(1_000);
    if (die < CRASHES) return this.#crash();
    if (die < CRASHES + RESTS) return this.#rest();
    if (die < 150) return this.#world.time.pass(this.#random.integer(3_000));
    if (die < 155) return this.#jump();
    this.#begin();
    await this.#wait();
  }

  /** Withdraws all tokens. The vaults then contain only the fees of the queues. */
  async finish(): Promise<void> {
    await this.#rest();
    for (const { room, purse } of this.#tokenPurses()) {
      if (!room.isOnRollup(purse)) continue;
      this.#submit(undelegationOf(room, purse));
    }
    await this.#rest();
    for (const { room, purse } of this.#tokenPurses()) {
      if (purse.inside.units > 0n) this.#submit(directWithdrawalOf(room, purse, purse.inside.units));
    }
    await this.#rest();
    for (const { purse } of this.#tokenPurses()) {
      if (purse.inside.units !== 0n) throw this.#fault(`${purse.inside.units} could not be taken out`);
    }
    await this.#world.scene.close();
  }

  #tokenPurses(): { readonly room: Room; readonly purse: Purse }[] {
    const rooms = this.#world.rooms.filter(({ isNative }) => !isNative);
    return rooms.flatMap((room) => room.purses.map((purse) => ({ room, purse })));
  }

  #begin(): void {
    const room = this.#pick(this.#world.rooms);
    const [of, to] = [this.#pick(room.purses), this.#pick(room.purses)];
    const { sponsor } = this.#world;
    const groupId = this.figures.steps;
    const draft = drawOperation({ room, of, to, sponsor, random: this.#random, groupId });
    if (draft !== null) this.#submit(draft);
  }

  #submit(draft: Draft): void {
    const { attempt, done } = this.#world.submit(draft);
    this.#attempts.push(attempt);
    this.#underWay.add(done);
    done
      .catch((error: unknown) => this.#errors.push(`a ${attempt.kind} was answered with ${inspect(error)}`))
      .finally(() => this.#underWay.delete(done));
  }

  /** Waits some turns, until all attempts are acknowledged, or until all pending work is complete. */
  async #wait(): Promise<void> {
    const die = this.#random.integer(10);
    if (die < 5) await this.#turns();
    else if (die < 8) await Promise.all(this.#underWay);
    else await this.#world.scene.rollup.settled();
  }

  async #turns(): Promise<void> {
    for (let turns = this.#random.integer(TURNS_MAX); turns > 0; turns--) await Promise.resolve();
  }

  async #jump(): Promise<void> {
    const { base } = this.#world.scene;
    await base.travelTo({ slot: base.head().slot + 1 + this.#random.integer(1_000) });
  }

  /** Ends both processes during pending work. Everything acknowledged before must still be there. */
  async #crash(): Promise<void> {
    this.figures.crashes++;
    for (let begun = this.#random.integer(CUT_SHORT_MAX + 1); begun > 0; begun--) this.#begin();
    await this.#turns();
    const { written } = this.#world;
    const lostMax = Math.min(this.#random.integer(2) * LOST_WRITES_MAX, written - this.#keptWrites);
    const left = written - this.#random.integer(lostMax + 1);
    const before = this.#errors.length;
    // Computed now, because the closing ledgers acknowledge writes to stores that are never read again.
    const acknowledged = new Set(
      this.#attempts.filter(({ acknowledgedAt }) => acknowledgedAt !== null && acknowledgedAt <= left),
    );
    await this.#world.crash(left);
    this.#keptWrites = left;
    // Ignore the errors that the closed ledgers logged at their end.
    this.#errors.length = before;
    this.#underWay = new Set();
    const landed: Attempt[] = [];
    for (const attempt of this.#attempts) {
      const isAcknowledged = acknowledged.has(attempt);
      const isThere = this.#recordOf(attempt)?.err === null;
      if (isAcknowledged && !isThere) throw this.#fault(`a ${attempt.kind} that was acknowledged is lost`);
      if (!isAcknowledged) this.figures.interrupted++;
      if (!isAcknowledged && isThere) this.figures.interruptedLanded++;
      if (isThere) landed.push({ ...attempt, acknowledgedAt: left });
      else this.figures.fruitless++;
    }
    this.#attempts = landed;
  }

  /** Waits until all pending work is complete, and compares all balances. */
  async #rest(): Promise<void> {
    await Promise.all(this.#underWay);
    const { time, scene, rooms } = this.#world;
    for (let waited = 0; !(await this.#isAtRest()); waited += REST_MS) {
      const unrest = [...this.#unrest(), ...this.#errors];
      if (waited > REST_MS_MAX) throw this.#fault(`no rest: ${unrest.join(', ')}`);
      await time.pass(REST_MS);
    }
    const landed = this.#attempts.filter((attempt) => this.#recordOf(attempt)?.err === null);
    this.figures.fruitless += this.#attempts.length - landed.length;
    for (const attempt of landed) this.#takeIn(attempt, landed);
    const differences = rooms.flatMap((room) => room.differences());
    if (differences.length > 0) {
      const since = landed.map(({ kind, signature }) => `${kind} ${signature.slice(0, 8)}`);
      throw this.#fault(`${differences.join('; ')}. Since the last rest: ${since.join(', ')}`);
    }
    this.#attempts = [];
    this.#keptWrites = this.#world.written;
    this.#onRollup = new Set(rooms.flatMap((room) => room.purses.filter((purse) => room.isOnRollup(purse))));
    if (this.#errors.length > 0) throw this.#fault(this.#errors.join('; '));
    if (scene.rollup.settlement.halted.length > 0) throw this.#fault('a mint is halted');
  }

  async #isAtRest(): Promise<boolean> {
    await this.#world.scene.rollup.settled();
    return this.#unrest().length === 0;
  }

  /** Describes the pending work. */
  #unrest(): string[] {
    const { rollup, base } = this.#world.scene;
    const books = new BooksView({
      get: (address) => rollup.getAccount(address) ?? undefined,
      ownedBy: (program) => rollup.programAccounts(program),
    });
    const { pending } = rollup.settlement;
    const queued = this.#world.rooms.flatMap(({ scene }) => scene.queueState?.transfers ?? []);
    const receipts = books.ephemerals();
    const open = this.#attempts.filter(
      (attempt) =>
        attempt.shuttle !== undefined &&
        this.#recordOf(attempt)?.err === null &&
        endOfShuttle(base, attempt.shuttle.address) === 'open',
    );
    return [
      ...(pending > 0 ? [`${pending} to be settled`] : []),
      ...(queued.length > 0 ? [`${queued.length} queued`] : []),
      ...(receipts.length > 0 ? [`${receipts.length} receipts`] : []),
      ...open.map(({ kind }) => `the shuttle of a ${kind}`),
    ];
  }

  /** Applies the effects of a landed attempt. */
  #takeIn(attempt: Attempt, landed: readonly Attempt[]): void {
    const { kind, shuttle, moves } = attempt;
    const record = this.#recordOf(attempt);
    if (record !== null && attempt.landed !== undefined) move(attempt.landed(record));
    this.figures.landed.set(kind, (this.figures.landed.get(kind) ?? 0) + 1);
    const isBack = shuttle !== undefined && endOfShuttle(this.#world.scene.base, shuttle.address) === 'back';
    if (!isBack) return move(moves);
    this.figures.back++;
    if (!this.#mayGoBack(attempt, landed)) throw this.#fault(`a ${kind} went back for no reason`);
    move(shuttle.back);
  }

  /**
   * Whether a shuttle had a reason to be returned: its purse left the rollup, was never there, or may have
   * had too little at some moment.
   */
  #mayGoBack({ shuttle }: Attempt, landed: readonly Attempt[]): boolean {
    if (shuttle === undefined) return false;
    const { purse, takes } = shuttle;
    if (!this.#onRollup.has(purse)) return true;
    if (landed.some(({ kind, signers }) => kind === 'undelegation' && signers[0] === purse.wallet))
      return true;
    const spent = landed
      .flatMap(({ moves }) => moves)
      .filter(([pot, units]) => pot === purse.inside && units < 0n)
      .reduce((sum, [, units]) => sum - units, 0n);
    return takes > 0n && purse.inside.units < takes + spent;
  }

  #recordOf({ where, signature }: Attempt) {
    return this.#world.scene[where].getTransaction(signature);
  }

  #fault(what: string): Error {
    return new Error(`seed ${this.#seed}, step ${this.figures.steps}: ${what}`);
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#random.integer(all.length)] as T;
  }
}

function move(moves: Moves): void {
  for (const [pot, units] of moves) pot.units += units;
}
