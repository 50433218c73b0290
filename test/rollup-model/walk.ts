import { HandClock } from '../../src/ledger/testing/hand-clock.ts';
import { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { silentLogger, type Logger } from '../../src/ports/logger.ts';
import { Model, type Action } from './model.ts';
import { STARTING_BALANCE, MINTS, Stage, WALLETS, type Attempt } from './stage.ts';

/** The figures of a walk. */
interface WalkFigures {
  readonly steps: number;
  readonly attempts: number;
  readonly successes: number;
  readonly undelegations: number;
  readonly crashes: number;
  /** Attempts that were pending in a crash, and how many of them had landed. */
  readonly interrupted: number;
  readonly interruptedLanded: number;
}

type Figures = { -readonly [K in keyof WalkFigures]: WalkFigures[K] };

/** Maximum number of actions that start at once. */
const BURST_MAX = 6;

/** Maximum number of turns of the event loop before a crash. */
const TURNS_MAX = 40;

/**
 * Runs a random history of operations, failures, crashes and clock jumps on the real ledgers and on the
 * model, repeatable by its seed. Fails on any difference.
 */
export async function walk(seed: string, steps: number): Promise<WalkFigures> {
  const walker = new Walker(seed, await Stage.open(new HandClock(), failOnError));
  for (let step = 0; step < steps; step++) await walker.step();
  await walker.finish();
  return walker.figures;
}

/** Fails on every logged error, because a walk must not cause any. */
const failOnError: Logger = {
  ...silentLogger,
  error(fields, message) {
    throw new Error(`${message}: ${JSON.stringify(fields)}`, {
      cause: 'err' in fields ? fields.err : undefined,
    });
  },
};

class Walker {
  readonly figures: Figures = {
    steps: 0,
    attempts: 0,
    successes: 0,
    undelegations: 0,
    crashes: 0,
    interrupted: 0,
    interruptedLanded: 0,
  };
  readonly #random: SeededRandom;
  #stage: Stage;
  #model: Model;

  constructor(seed: string, stage: Stage) {
    this.#random = new SeededRandom(seed);
    this.#stage = stage;
    this.#model = new Model(
      stage.holders.map(() => ({ place: 'none', ata: STARTING_BALANCE, held: 0n, undelegations: 0 })),
    );
  }

  async step(): Promise<void> {
    this.figures.steps++;
    const die = this.#random.integer(1_000);
    if (die < 20) await this.#crash();
    else if (die < 60) this.#stage.scene.clock.pass(this.#random.integer(die < 25 ? 200_000 : 900));
    else if (die < 70) await this.#jump();
    else if (die < 160) await this.#settle();
    else await this.#burst();
    this.#stage.scene.rollup.assertExactClaims();
  }

  /** Withdraws everything and compares all balances. */
  async finish(): Promise<void> {
    await this.#settle();
    for (const index of this.#model.holdings.keys()) {
      if (this.#model.at(index).place === 'rollup') await this.#actAll([{ kind: 'undelegate', of: index }]);
    }
    await this.#settle();
    for (const [index, { held }] of this.#model.holdings.entries()) {
      if (held > 0n) await this.#actAll([{ kind: 'withdraw', of: index, amount: held }]);
    }
    this.#compare();
    for (const { undelegations } of this.#model.holdings) this.figures.undelegations += undelegations;
    for (const mint of MINTS) assertEqual(this.#stage.scene.vaultTokens(mint), 0n, 'vault at the end');
    const sum = this.#model.holdings.reduce((total, { ata }) => total + ata, 0n);
    this.#stage.assertNeverShort();
    assertEqual(sum, STARTING_BALANCE * BigInt(WALLETS * MINTS.length), 'tokens at the end');
  }

  async #burst(): Promise<void> {
    await this.#actAll(this.#drawBurst());
    this.#compare();
  }

  /** Starts several actions at once. Each has executed before the next starts. */
  async #actAll(actions: readonly Action[]): Promise<void> {
    const attempts = actions.map((action) => this.#begin(action));
    for (const { attempt, isAllowed } of attempts) {
      assertEqual(await attempt.done, isAllowed, JSON.stringify(attempt.action, showBigints));
      if (isAllowed) this.figures.successes++;
    }
  }

  #begin(action: Action): { attempt: Attempt; isAllowed: boolean } {
    this.figures.attempts++;
    this.#follow();
    const isAllowed = this.#model.allows(action);
    const attempt = this.#stage.attempt(action);
    if (isAllowed) this.#model.apply(action);
    return { attempt, isAllowed };
  }

  /** Ends the process during pending work. Everything acknowledged before must still be there. */
  async #crash(): Promise<void> {
    this.figures.crashes++;
    this.#follow();
    const before = this.#model.clone();
    const written = this.#stage.stores.written.length;
    const begun = this.#drawBurst().map((action) => this.#begin(action));
    for (const { attempt } of begun) attempt.done.catch(() => undefined);
    for (let turns = this.#random.integer(TURNS_MAX); turns > 0; turns--) await Promise.resolve();
    const most = this.#stage.stores.written.length;
    this.#stage = await this.#stage.crash(written + this.#random.integer(most - written + 1));
    this.#model = before;
    this.#replay(begun.filter(({ isAllowed }) => isAllowed).map(({ attempt }) => attempt));
    this.#compare();
  }

  #replay(attempts: readonly Attempt[]): void {
    const lost = new Set<Attempt['where']>();
    for (const attempt of attempts) {
      this.figures.interrupted++;
      if (!this.#stage.hasLanded(attempt)) {
        lost.add(attempt.where);
        continue;
      }
      if (lost.has(attempt.where)) throw new Error('a later write survived an earlier one');
      this.figures.interruptedLanded++;
      const holding = this.#model.at(attempt.action.of);
      // An action that needs the eATA on base proves that it was there.
      if (attempt.where === 'base' && holding.place === 'leaving') holding.place = 'base';
      if (attempt.where === 'rollup' && holding.place === 'arriving') holding.place = 'rollup';
      this.#model.apply(attempt.action);
    }
  }

  async #jump(): Promise<void> {
    const { base } = this.#stage.scene;
    await base.travelTo({ slot: base.head().slot + 1 + this.#random.integer(1_000) });
  }

  async #settle(): Promise<void> {
    const { rollup } = this.#stage.scene;
    await rollup.settled();
    this.#compare();
    const { pending, stalled, halted } = rollup.settlement;
    assertEqual(pending + stalled + halted.length, 0, 'pending');
    // Every accepted undelegation has completed exactly once.
    for (const [index, { undelegations }] of this.#model.holdings.entries()) {
      assertEqual(this.#stage.returnsOf(index), undelegations, `returns of ${index}`);
    }
    const underWay = this.#model.holdings.filter(({ place }) => place === 'leaving' || place === 'arriving');
    assertEqual(underWay.length, 0, 'under way');
  }

  /** Updates the model with completed background work. */
  #follow(): void {
    for (const [index, holding] of this.#model.holdings.entries()) {
      if (holding.place === 'leaving' && this.#stage.isOnBase(index)) holding.place = 'base';
      if (holding.place === 'arriving' && this.#stage.isOnRollup(index)) holding.place = 'rollup';
    }
  }

  /** Compares the model with the ledgers, and the vaults with the claims on them. */
  #compare(): void {
    this.#stage.assertNeverShort();
    this.#follow();
    const { scene } = this.#stage;
    for (const [index, { place, ata, held }] of this.#model.holdings.entries()) {
      const { wallet, mint } = this.#stage.holder(index);
      const owner = wallet.address;
      assertEqual(scene.tokens(scene.base, owner, mint), ata, `ATA of ${index}`);
      if (place === 'base') assertEqual(scene.eataTokens(scene.base, owner, mint), held, `eATA of ${index}`);
      if (place !== 'rollup') continue;
      assertEqual(scene.tokens(scene.rollup, owner, mint), held, `projected ATA of ${index}`);
      assertEqual(scene.eataTokens(scene.rollup, owner, mint), held, `projected eATA of ${index}`);
    }
    for (const mint of MINTS) this.#compareVault(mint);
  }

  /**
   * The vault has exactly the sum of the claims on the rollup, and at least the claims that base shows.
   */
  #compareVault(mint: (typeof MINTS)[number]): void {
    const { scene, holders } = this.#stage;
    let held = 0n;
    let owed = 0n;
    let owedOnBase = 0n;
    for (const [index, holder] of holders.entries()) {
      if (holder.mint !== mint) continue;
      const { place } = this.#model.at(index);
      const ledger = place === 'rollup' || place === 'leaving' ? scene.rollup : scene.base;
      held += this.#model.at(index).held;
      owed += scene.eataTokens(ledger, holder.wallet.address, mint) ?? 0n;
      owedOnBase += scene.eataTokens(scene.base, holder.wallet.address, mint) ?? 0n;
    }
    assertEqual(scene.vaultTokens(mint), held, 'vault');
    assertEqual(owed, held, 'owed');
    if (owedOnBase > held) throw new Error(`${owedOnBase} are owed on base and ${held} are in the vault`);
  }

  #drawBurst(): Action[] {
    return Array.from({ length: 1 + this.#random.integer(BURST_MAX) }, () => this.#drawAction());
  }

  #drawAction(): Action {
    const of = this.#random.integer(this.#model.holdings.length);
    const { ata, held } = this.#model.at(of);
    const die = this.#random.integer(100);
    if (die < 20) return { kind: 'deposit', of, amount: this.#drawAmount(ata), delegates: die < 16 };
    if (die < 32) return { kind: 'withdraw', of, amount: this.#drawAmount(held) + 1n };
    if (die < 45) return { kind: 'undelegate', of };
    if (die < 48) return { kind: 'theft', of, by: (of + MINTS.length) % this.#model.holdings.length };
    const to = (of + MINTS.length * this.#random.integer(WALLETS)) % this.#model.holdings.length;
    return { kind: 'transfer', of, to, amount: this.#drawAmount(held) };
  }

  /** Draws an amount up to slightly more than the balance. */
  #drawAmount(there: bigint): bigint {
    return BigInt(this.#random.integer(Number(there + there / 20n) + 2));
  }
}

function assertEqual(found: unknown, expected: unknown, what: string): void {
  if (found === expected) return;
  throw new Error(`${what}: ${String(found)} instead of ${String(expected)}`);
}

const showBigints = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;
