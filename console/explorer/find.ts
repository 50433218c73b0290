import { isAddress, isSignature } from '../parts/base58.ts';
import type { LedgerCall, Reader } from '../parts/reader.ts';

/** Something that a search text leads to. */
export interface Hit {
  readonly path: string;
  readonly ledger: 'base' | 'rollup';
  readonly what: 'account' | 'transaction' | 'block';
  /** The address, signature or slot. */
  readonly id: string;
}

/** Names that are tried against what is typed, at most so many of them. */
const NAMED_MAX = 8;

/**
 * Where a text leads, as the reader sees it: an address and a slot are there on each ledger that the reader sees, a
 * signature where the ledger says that it landed, a name of this browser where its address is.
 */
export async function find(text: string, reader: Reader, names: ReadonlyMap<string, string>): Promise<Hit[]> {
  const id = text.trim();
  const ledgers = reader.as === 'base' ? (['base'] as const) : (['base', 'rollup'] as const);
  if (isAddress(id)) return ledgers.map((ledger) => hit(ledger, 'account', id));
  if (/^\d[\d,]{0,18}$/.test(id)) {
    return ledgers.map((ledger) => hit(ledger, 'block', id.replaceAll(',', '')));
  }
  if (isSignature(id)) {
    const calls = ledgers.map((ledger): LedgerCall => ({
      ledger,
      method: 'getSignatureStatuses',
      params: [[id], { searchTransactionHistory: true }],
    }));
    const answers = await reader.batch(calls);
    return ledgers
      .filter((_, at) => {
        const answer = answers[at];
        return answer?.ok === true && (answer.result as { value: readonly unknown[] }).value[0] !== null;
      })
      .map((ledger) => hit(ledger, 'transaction', id));
  }
  const lower = id.toLowerCase();
  if (lower === '') return [];
  return [...names]
    .filter(([, name]) => name.toLowerCase().includes(lower))
    .slice(0, NAMED_MAX)
    .map(([address]) => hit('base', 'account', address));
}

const PLACES = { account: 'account', transaction: 'tx', block: 'block' } as const;

function hit(ledger: Hit['ledger'], what: Hit['what'], id: string): Hit {
  return { ledger, what, id, path: `/console/${ledger}/${PLACES[what]}/${id}` };
}
