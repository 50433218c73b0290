import type { DrawsMark } from './draws.ts';
import type { MemoryStores } from '../stack/ledger-home.ts';
import type { LocalLedgers } from './local-ledgers.ts';

/** What a localnet is brought back to. */
interface SnapshotParts {
  readonly stores: MemoryStores;
  /** Of `LocalnetTime`. */
  readonly timeMark: number;
  readonly draws: DrawsMark;
}

/** A moment of one localnet, for its `reset`. It is as good as often as it is used. */
export class LocalnetSnapshot {
  readonly #owner: object;
  readonly #parts: SnapshotParts;

  /** @param owner the localnet it is of. */
  constructor(owner: object, parts: SnapshotParts) {
    this.#owner = owner;
    this.#parts = parts;
  }

  /** What is in it; null for whoever is not its owner. */
  partsFor(owner: object): SnapshotParts | null {
    return owner === this.#owner ? this.#parts : null;
  }
}

/** Both ledgers as they are now, with the slots they are at as the last that were shown. */
export function copyStores(stores: MemoryStores, { base, rollup }: LocalLedgers): MemoryStores {
  return { base: stores.base.copyAt(base.head().slot), rollup: stores.rollup.copyAt(rollup.head().slot) };
}
