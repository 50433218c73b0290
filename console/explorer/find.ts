import { isAddress, isSignature } from '../parts/encodings.ts';
import type { Reader, Ledger } from '../parts/reader.ts';

/** A search result. */
export interface Hit {
  readonly path: string;
  readonly ledger: 'base' | 'rollup';
  readonly what: 'account' | 'transaction' | 'block';
  /** The address, signature or slot. */
  readonly id: string;
}

/** Maximum number of results by name. */
const NAMED_MAX = 8;

/**
 * Finds an address, slot, signature or name. Addresses and slots give one result for each ledger that the
 * reader sees, signatures one for each ledger on which they landed.
 */
export async function find(text: string, reader: Reader, names: ReadonlyMap<string, string>): Promise<Hit[]> {
  const id = text.trim();
  const { ledgers } = reader;
  if (isAddress(id)) return ledgers.map((ledger) => hit(ledger, 'account', id));
  if (/^\d[\d,]{0,18}$/.test(id)) {
    return ledgers.map((ledger) => hit(ledger, 'block', id.replaceAll(',', '')));
  }
  if (isSignature(id)) {
    const landed = await Promise.all(ledgers.map((ledger) => statusOf(reader, ledger, id).catch(() => null)));
    return ledgers.filter((_, at) => landed[at] !== null).map((ledger) => hit(ledger, 'transaction', id));
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

/** The status that anyone who knows a signature can see. */
interface SignatureStatus {
  readonly slot: number;
  readonly err: unknown;
}

/**
 * Asks a ledger whether a signature has landed; null if it has not.
 *
 * @throws {Error} with the ledger's message if the request fails.
 */
export async function statusOf(
  reader: Reader,
  ledger: Ledger,
  signature: string,
): Promise<SignatureStatus | null> {
  const { value } = await reader.call<{ readonly value: readonly (SignatureStatus | null)[] }>(
    ledger,
    'getSignatureStatuses',
    [[signature], { searchTransactionHistory: true }],
  );
  return value[0] ?? null;
}
