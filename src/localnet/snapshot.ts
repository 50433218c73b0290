import type { MemoryStores } from '../stack/ledger-home.ts';

// The type is defined here, because the published declarations must not import the settings, which need
// Node's types.
/** The number of random bytes drawn from each stream of a seed. */
export interface DrawsMark {
  readonly program: number;
  readonly wallets: number;
}

interface SnapshotParts {
  readonly stores: MemoryStores;
  /** A mark of `LocalnetTime`. */
  readonly timeMark: number;
  readonly draws: DrawsMark;
}

/** A snapshot of one localnet for its `reset`. It can be used repeatedly. */
export class LocalnetSnapshot {
  readonly #owner: object;
  readonly #parts: SnapshotParts;

  /** @param owner the localnet. */
  constructor(owner: object, parts: SnapshotParts) {
    this.#owner = owner;
    this.#parts = parts;
  }

  /** Returns the parts of the snapshot; null for another localnet. */
  partsFor(owner: object): SnapshotParts | null {
    return owner === this.#owner ? this.#parts : null;
  }
}
