import { MemoryStore } from '../store/memory-store.ts';
import type { Commit } from '../store/store.ts';

/** A store whose writes wait until a test releases them, or fail from some point on. */
export class HeldStore extends MemoryStore {
  /** Functions that each release a waiting write; null if writes do not wait. */
  held: (() => void)[] | null = null;
  failure: Error | null = null;
  readonly #commits: Commit[] = [];
  #onHeld: () => void = () => undefined;

  override async commit(commit: Commit): Promise<void> {
    if (this.failure !== null) throw this.failure;
    const { held } = this;
    if (held !== null) {
      await new Promise<void>((resolve) => {
        held.push(resolve);
        this.#onHeld();
      });
    }
    this.#commits.push(commit);
    await super.commit(commit);
  }

  /** Resolves when `count` writes are waiting. */
  async untilHeld(count: number): Promise<void> {
    while ((this.held?.length ?? 0) < count) {
      await new Promise<void>((resolve) => {
        this.#onHeld = resolve;
      });
    }
  }

  /** Returns the store as it would be after a crash now. */
  copy(): MemoryStore {
    const copy = new MemoryStore();
    for (const commit of this.#commits) void copy.commit(commit);
    return copy;
  }
}
