import { MemoryStore } from '../../ledger/store/memory-store.ts';
import type { Commit, LedgerStore } from '../../ledger/store/store.ts';

/** The stores of a base ledger and of its rollup. */
export interface StorePair {
  readonly base: LedgerStore;
  readonly rollup: LedgerStore;
}

/** Everything the two ledgers ever wrote, in the order in which it became durable: what a crash leaves is a beginning of it. */
export class CrashStores {
  readonly #written: { readonly of: keyof StorePair; readonly commit: Commit }[];

  constructor(written: CrashStores['written'] = []) {
    this.#written = [...written];
  }

  get written(): readonly { readonly of: keyof StorePair; readonly commit: Commit }[] {
    return this.#written;
  }

  /** Stores with all that was written in them; what is written to them from now on is added to that. */
  open(): StorePair {
    const pair = { base: this.#open('base'), rollup: this.#open('rollup') };
    for (const { of, commit } of this.#written.splice(0)) void pair[of].commit(commit);
    return pair;
  }

  #open(of: keyof StorePair): LedgerStore {
    return new WrittenDown((commit) => this.#written.push({ of, commit }));
  }
}

class WrittenDown extends MemoryStore {
  readonly #writeDown: (commit: Commit) => void;

  constructor(writeDown: (commit: Commit) => void) {
    super();
    this.#writeDown = writeDown;
  }

  override commit(commit: Commit): Promise<void> {
    this.#writeDown(commit);
    return super.commit(commit);
  }
}
