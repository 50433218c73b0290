import { describe, expect, it } from 'vitest';
import { type Look, SteadyEntries } from '../../ledger/state/steady-entries.ts';
import { accountOf } from '../../ledger/testing/make-account.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { keepInSteps, Scan } from './scan.ts';
import { ClientGone, Scans } from './scans.ts';
import { takeSnapshot } from './snapshot.ts';

const COUNT = 2_000;

/** Accounts whose moment is held on to until they are gone through, or left. */
class HeldEntries {
  held = 0;
  readonly entries = new SteadyEntries({ now: () => [], begin: () => this.#begin() });

  #begin(): IterableIterator<Look> {
    this.held += 1;
    let left = COUNT;
    const leave = (): void => {
      if (left >= 0) this.held -= 1;
      left = -1;
    };
    const entry = [addressFilledWith(1), accountOf(SYSTEM_PROGRAM, new Uint8Array(0))] as const;
    return {
      [Symbol.iterator]() {
        return this;
      },
      next() {
        if (left-- > 0) return { done: false, value: entry };
        left = 0;
        leave();
        return { done: true, value: undefined };
      },
      return() {
        leave();
        return { done: true, value: undefined };
      },
    };
  }
}

describe('takeSnapshot()', () => {
  it.each([0, 1, 7, 8, 30, 1_000])(
    'lets go of its moment when the client goes after %i turns (bug: among the first 512 accounts it kept it for ever)',
    async (turns) => {
      const accounts = new HeldEntries();
      let taken = 0;
      const scans = new Scans({ pause: async () => void taken++, turnMs: 0 });
      const scan = new Scan(function* () {
        const entries = yield* takeSnapshot(accounts.entries);
        return (yield* keepInSteps(entries, () => true)).length;
      });
      const client = { address: 'client', isGone: () => taken > turns };
      const answer = await Promise.resolve(scans.run(scan, 1_000, client)).catch((error: unknown) => error);
      if (answer instanceof ClientGone) expect(taken).toBe(turns + 1);
      else expect(answer).toBe(COUNT);
      expect(accounts.held).toBe(0);
    },
  );
});
