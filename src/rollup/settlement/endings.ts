import type { Keypair } from '../../ledger/keypair.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { BooksView } from '../books/books.ts';
import { goneRescueEntry } from '../books/entries.ts';
import { heldBy, type Intent } from '../books/intent.ts';
import type { Entry } from '../books/item.ts';
import { confirmationLogs, signConfirmation } from './confirmation.ts';
import { carriedOutEntries } from './intent-outcome.ts';
import type { Ledgers } from './claim.ts';

/** What follows on the rollup, in one commit, from something that has been settled on base. */
interface Ending {
  /** The delegated accounts that are given back. */
  readonly given: readonly Address[];
  readonly entries: readonly Entry[];
  /** The validator's transaction that announces it; null when none does. */
  readonly announcement: { readonly transaction: Transaction; readonly logs: readonly string[] } | null;
}

/** What {@link endings} go by. */
interface EndingContext extends Pick<Ledgers, 'rollup' | 'projections'> {
  readonly validator: Keypair;
}

/**
 * The endings of what the books have under way, as far as its base transaction has landed, one after the
 * other: each is to be applied before the next is asked for.
 *
 * @param hasLanded whether base has carried out the transaction with a signature (base58), signed for an
 *   intent where one is named.
 */
export function* endings(
  books: BooksView,
  hasLanded: (signature: string, intent?: Intent) => boolean,
  { validator, ...ledgers }: EndingContext,
): Iterable<Ending> {
  for (const request of books.requests()) {
    const { eata, signature } = request;
    if (signature === null || ledgers.projections.ofEata(eata) === undefined || !hasLanded(signature))
      continue;
    const transaction = signConfirmation(request, { validator, baseGenesisHash: books.baseGenesisHash });
    const logs = confirmationLogs(validator.address, eata, signature);
    yield { given: [eata], entries: [], announcement: { transaction, logs } };
  }
  for (const intent of books.intents()) {
    if (intent.sent === null || !hasLanded(intent.sent.signature, intent)) continue;
    yield {
      given: heldBy(intent),
      entries: carriedOutEntries(intent, intent.sent.signature, ledgers),
      announcement: null,
    };
  }
  for (const { account, signature } of books.rescues()) {
    if (signature === null || !hasLanded(signature)) continue;
    yield { given: [], entries: [goneRescueEntry(account)], announcement: null };
  }
}
