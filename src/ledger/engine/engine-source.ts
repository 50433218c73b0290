import type { Engine } from './engine.ts';
import { LiteSvmEngine, type LiteSvmEngineOptions } from './litesvm-engine.ts';

/** Where banks get their engines from. */
export interface EngineSource {
  /** An engine with nothing but what it has built in, as far as anybody can tell. */
  make(options: LiteSvmEngineOptions): Engine;
  /** Keeps an engine that it made no longer: its bank is being replaced, and nobody has it after that. */
  letGo(engine: Engine): void;
}

/** A new engine for each. */
export const NEW_ENGINES: EngineSource = {
  make: (options) => new LiteSvmEngine(options),
  letGo: () => undefined,
};

/** The engines of one ledger, one bank after the other: when it makes the next, the one before is let go. */
export class LedgerEngines implements Pick<EngineSource, 'make'> {
  readonly #source: EngineSource;
  #current: Engine | null = null;

  constructor(source: EngineSource = NEW_ENGINES) {
    this.#source = source;
  }

  make(options: LiteSvmEngineOptions): Engine {
    const engine = this.#source.make(options);
    if (this.#current !== null) this.#source.letGo(this.#current);
    this.#current = engine;
    return engine;
  }
}
