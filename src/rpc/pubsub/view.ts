import type { Block } from '../../ledger/block.ts';
import type { TransactionRecord } from '../../ledger/execution.ts';
import type { Happening, LedgerEvent } from './happening.ts';

/**
 * What the holder of `token` may see of an event: all of it (the same object), a part of it (for example
 * fewer changes), or null if it must be hidden entirely. Called synchronously; must not throw.
 */
export type View = (event: LedgerEvent, token: string | null) => LedgerEvent | null;

/** One happening as different subscribers may see it. Each token is judged once. */
export class Sight {
  /** The complete happening. */
  readonly whole: Happening;
  readonly #view: View | undefined;
  readonly #byToken = new Map<string | null, Happening | null>();

  constructor(happening: Happening, view: View | undefined) {
    this.whole = happening;
    this.#view = view;
  }

  /** What `token` may see; null for nothing. */
  as(token: string | null): Happening | null {
    if (this.#view === undefined) return this.whole;
    let seen = this.#byToken.get(token);
    if (seen === undefined) this.#byToken.set(token, (seen = this.#look(this.#view, token)));
    return seen;
  }

  #look(view: View, token: string | null): Happening | null {
    const happening = this.whole;
    switch (happening.kind) {
      case 'slot-began':
        return happening;
      case 'slot-ended':
        // Filtered on demand, since most subscribers to slots never read the block.
        return { ...happening, block: () => withoutHidden(happening.block(), view, token) };
      default:
        return view(happening, token);
    }
  }
}

function withoutHidden(block: Block | null, view: View, token: string | null): Block | null {
  if (block === null) return null;
  const transactions: TransactionRecord[] = [];
  for (const record of block.transactions) {
    const seen = view({ kind: 'transaction', slot: record.slot, record, changes: [] }, token);
    if (seen?.kind === 'transaction') transactions.push(seen.record);
  }
  return { ...block, transactions };
}
