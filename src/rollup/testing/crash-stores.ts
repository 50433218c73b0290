import { MemoryStore } from '../../ledger/store/memory-store.ts';
import type { Commit, LedgerStore } from '../../ledger/store/store.ts';

/** The stores of a base ledger and of its rollup. */
export interface StorePair {
  readonly base: LedgerStore;
  readonly rollup: LedgerStore;
}

/** A commit that became durable. */
export interface Write {
  readonly of: keyof StorePair;
  readonly commit: Commit;
}

/** Turns of the event loop per write. The rollup's disk is slower, which is the harder case. */
const TURNS = { base: 1, rollup: 5 };

/** All writes of the two ledgers, in the order in which they became durable. A crash leaves a prefix. */
export class CrashStores {
  readonly #written: Write[];

  constructor(written: readonly Write[] = []) {
    this.#written = [...written];
  }

  get written(): readonly Write[] {
    return this.#written;
  }

  /** Opens stores that contain all writes so far and record the next ones. */
  open(): StorePair {
    const pair = {
      base: new SlowStore('base', this.#written),
      rollup: new SlowStore('rollup', this.#written),
    };
    for (const { of, commit } of this.#written) pair[of].load(commit);
    return pair;
  }

  /** Edits accounts in a closed store, bypassing its ledger. */
  edit(of: keyof StorePair, accounts: NonNullable<Commit['accounts']>): void {
    const last = this.#written.findLast((write) => write.of === of);
    if (last === undefined) throw new Error(`nothing is in the store of the ${of} ledger yet`);
    this.#written.push({ of, commit: { accounts, slotCeiling: last.commit.slotCeiling } });
  }
}

/** A store with slow writes that records what is durable. */
class SlowStore extends MemoryStore {
  readonly #of: keyof StorePair;
  readonly #written: Write[];
  #last: Promise<void> = Promise.resolve();

  constructor(of: keyof StorePair, written: Write[]) {
    super();
    this.#of = of;
    this.#written = written;
  }

  /** Loads an earlier durable write. */
  load(commit: Commit): void {
    void super.commit(commit);
  }

  override commit(commit: Commit): Promise<void> {
    this.#last = this.#write(commit, this.#last);
    return this.#last;
  }

  async #write(commit: Commit, before: Promise<void>): Promise<void> {
    await before;
    for (let turns = TURNS[this.#of]; turns > 0; turns--) await Promise.resolve();
    this.#written.push({ of: this.#of, commit });
    await super.commit(commit);
  }
}
