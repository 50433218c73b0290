import type { LedgerReader } from '../readers/reader.ts';
import { deedOf, type Deed } from './deed.ts';
import { PARSED, type ParsedTransaction } from './parsed-transaction.ts';

/** How far back an account's history is read where nothing else is said. */
const HISTORY_MAX = 20;

interface SignatureRow {
  readonly signature: string;
  readonly slot: number;
}

/** Transactions of accounts that one reader sees, newest first, or why they could not be read. */
type Deeds =
  | {
      readonly kind: 'read';
      readonly deeds: readonly Deed[];
      /** Accounts that were not read completely: they have older or unreadable transactions. */
      readonly cut: readonly string[];
    }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Reads what happened to some accounts: two batches, their signatures and then the transactions.
 *
 * @param eata selects the account of settlements.
 * @param limit transactions of each account that are read at most, the newest, up to 1,000.
 */
export async function readDeeds(
  reader: LedgerReader,
  accounts: readonly string[],
  eata: string | null = null,
  limit = HISTORY_MAX,
): Promise<Deeds> {
  const lists = await Promise.all(
    accounts.map((account) =>
      reader.call<readonly SignatureRow[]>('getSignaturesForAddress', [account, { limit }]),
    ),
  );
  const named: (readonly string[])[] = [];
  for (const list of lists) {
    if (list.kind === 'failed') return { kind: 'failed', message: list.message };
    named.push(list.value.map(({ signature }) => signature));
  }
  const deeds = new Map<string, Deed>();
  const read = async (signature: string): Promise<void> => {
    const answer = await reader.call<ParsedTransaction | null>('getTransaction', [signature, PARSED]);
    if (answer.kind === 'value' && answer.value !== null)
      deeds.set(signature, deedOf(reader.ledger, answer.value, eata));
  };
  const signatures = [...new Set(named.flat())];
  await Promise.all(signatures.map(read));
  return {
    kind: 'read',
    deeds: signatures.flatMap((signature) => deeds.get(signature) ?? []).sort(newestFirst),
    cut: accounts.filter((_, at) => {
      const list = named[at] ?? [];
      return list.length >= limit || list.some((signature) => !deeds.has(signature));
    }),
  };
}

/** By time, then slot; of equal ones the ledger's own order stays. */
const newestFirst = (one: Deed, other: Deed): number =>
  (other.time ?? 0) - (one.time ?? 0) || (one.ledger === other.ledger ? other.slot - one.slot : 0);
