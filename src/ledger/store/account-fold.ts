import { applyPatches, type AccountPatch } from './account-patch.ts';
import type { EncodedAccount } from './encoded-commit.ts';

/**
 * Where an account is kept that was written before all changes of a fold: its value, or undefined where there
 * is none.
 */
export type ReadKept = (address: Buffer) => Buffer | undefined;

interface Fold {
  readonly address: Buffer;
  /**
   * The last one that was written as a whole, null for one that is gone; undefined where it is kept
   * elsewhere.
   */
  readonly whole: Buffer | null | undefined;
  /** What changed since, in order. */
  readonly patches: AccountPatch[];
}

/** What the accounts of commits that follow each other are after them. */
export class AccountFold {
  readonly #folds = new Map<string, Fold>();

  add({ address, value }: EncodedAccount): void {
    const key = address.toString('latin1');
    if (value === null || Buffer.isBuffer(value)) {
      this.#folds.set(key, { address, whole: value, patches: [] });
      return;
    }
    const fold = this.#folds.get(key);
    if (fold === undefined) this.#folds.set(key, { address, whole: undefined, patches: [value] });
    else fold.patches.push(value);
  }

  clear(): void {
    this.#folds.clear();
  }

  /**
   * Each account that changed with its value; null for one that is gone.
   *
   * @param damaged the error for an account that has changed and is not what it was changed from.
   */
  *values(kept: ReadKept, damaged: (what: string) => Error): Iterable<readonly [Buffer, Buffer | null]> {
    for (const { address, whole, patches } of this.#folds.values()) {
      const [first] = patches;
      if (first === undefined) {
        yield [address, whole ?? null];
        continue;
      }
      const base = whole === undefined ? kept(address) : whole;
      if (base?.length !== first.length) {
        throw damaged(
          `what is written of ${address.toString('hex')} changes ${first.length} bytes that are not there`,
        );
      }
      yield [address, applyPatches(base, patches)];
    }
  }
}
