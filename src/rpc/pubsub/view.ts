import type { Block } from '../../ledger/block.ts';
import type { TransactionRecord } from '../../ledger/execution.ts';
import type { Happening, LedgerEvent } from './happening.ts';

/**
 * What the holder of `token` may learn of an event: all of it (the same object), a part of it (fewer changes,
 * say), or null, when it must be as if it had not happened. Called synchronously; must not throw.
 */
export type View = (event: LedgerEvent, token: string | null) => LedgerEvent | null;

/** One happening as different subscribers may see it. Each token is judged once. */
export class Sight {
  /** All of it, as it is. */
  readonly whole: Happening;
  readonly #view: View | undefined;
  readonly #byToken = new Map<string | null, Happening | null>();

  constructor(happening: Happening, view: View | undefined) {
    this.whole = happening;
    this.#view = view;
  }

  /** What is there to see with `token`; null for nothing. */
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
