import { MemoryStore } from '../store/memory-store.ts';
import type { Commit } from '../store/store.ts';

/** A store whose writes wait until they are let through, or fail from some point on. */
export class HeldStore extends MemoryStore {
  /** Lets the writes through that wait; null when they need not wait. */
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

  /** Waits until so many writes wait. */
  async untilHeld(count: number): Promise<void> {
    while ((this.held?.length ?? 0) < count) {
      await new Promise<void>((resolve) => {
        this.#onHeld = resolve;
      });
    }
  }

  /** What would be found after a crash now. */
  copy(): MemoryStore {
    const copy = new MemoryStore();
    for (const commit of this.#commits) void copy.commit(commit);
    return copy;
  }
}
