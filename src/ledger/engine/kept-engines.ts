import type { Engine } from './engine.ts';
import { NEW_ENGINES, type EngineSource } from './engine-source.ts';
import { KeptEngine } from './kept-engine.ts';
import type { LiteSvmEngineOptions } from './litesvm-engine.ts';

/** An engine with what it was asked for by. */
interface Lent {
  readonly key: string;
  readonly engine: KeptEngine;
}

/**
 * Keeps engines for the stack that comes next: creating one and compiling its programs takes longer than all
 * else of a reset.
 */
export class KeptEngines implements EngineSource {
  #lent: Lent[] = [];
  /** In the order in which they were lent: the bases' before the rollups', which have other programs. */
  #idle: Lent[] = [];

  /** How many it holds on to. */
  get size(): number {
    return this.#lent.length + this.#idle.length;
  }

  make(options: LiteSvmEngineOptions): Engine {
    const key = keyOf(options);
    const place = this.#idle.findIndex((each) => each.key === key);
    const [kept] = place === -1 ? [] : this.#idle.splice(place, 1);
    const engine = kept?.engine ?? new KeptEngine(() => NEW_ENGINES.make(options));
    this.#lent.push({ key, engine });
    return engine;
  }

  letGo(engine: Engine): void {
    this.#lent = this.#lent.filter((each) => each.engine !== engine);
  }

  /** Takes back all that are lent: whoever had them is closed. Those that nobody wanted are let go. */
  takeBack(): void {
    this.#idle = this.#lent.map(({ key, engine }) => ({ key, engine: engine.handOver() }));
    this.#lent = [];
  }
}

/** Engines of the same key are the same, but for their accounts. */
function keyOf({ features, limits = {} }: LiteSvmEngineOptions): string {
  const { accountLocks, computeUnits, logBytes } = limits;
  return JSON.stringify([features && [...features].toSorted(), accountLocks, computeUnits, logBytes]);
}
