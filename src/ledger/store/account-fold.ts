import { applyPatches, type AccountPatch } from './account-patch.ts';
import type { EncodedAccount } from './encoded-commit.ts';

/** Reads the stored value of an account from before all changes of a fold; undefined if there is none. */
export type ReadKept = (address: Buffer) => Buffer | undefined;

interface Fold {
  readonly address: Buffer;
  /**
   * The last value written as a whole, null for a deleted account; undefined if it has to be read from the
   * store.
   */
  readonly whole: Buffer | null | undefined;
  /** The patches since then, in order. */
  readonly patches: AccountPatch[];
}

/** The final state of accounts after several successive commits. */
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
   * Each changed account with its value; null for a deleted one.
   *
   * @param damaged creates the error for a patch that does not fit the stored account.
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
