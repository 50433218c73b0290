import type { LedgerReader } from '../readers/reader.ts';
import { deedOf, type Deed } from './deed.ts';
import { PARSED, type ParsedTransaction } from './parsed-transaction.ts';

/** Default number of transactions that are read per account. */
const HISTORY_MAX = 20;

interface SignatureRow {
  readonly signature: string;
  readonly slot: number;
}

/** The transactions of some accounts, newest first, or why they could not be read. */
type Deeds =
  | {
      readonly kind: 'read';
      readonly deeds: readonly Deed[];
      /** Accounts with older or unreadable transactions, which are missing here. */
      readonly cut: readonly string[];
    }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Reads the newest transactions of some accounts in two batches: signatures, then transactions.
 *
 * @param eata selects the account if a settlement has several.
 * @param limit maximum transactions per account, up to 1,000.
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

/** Orders by time, then slot. Equal ones keep the order of the ledger. */
const newestFirst = (one: Deed, other: Deed): number =>
  (other.time ?? 0) - (one.time ?? 0) || (one.ledger === other.ledger ? other.slot - one.slot : 0);
