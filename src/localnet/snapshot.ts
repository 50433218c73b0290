import type { MemoryStores } from '../stack/ledger-home.ts';

// Defined here, because the declarations of users must not lead to the settings, which need Node's types.
/** How much of a seed has been used. */
export interface DrawsMark {
  readonly program: number;
  readonly wallets: number;
}

interface SnapshotParts {
  readonly stores: MemoryStores;
  /** Of `LocalnetTime`. */
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

  /** Its parts; null for another localnet. */
  partsFor(owner: object): SnapshotParts | null {
    return owner === this.#owner ? this.#parts : null;
  }
}
