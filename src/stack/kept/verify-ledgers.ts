import { isServiceError } from '../../errors/service-error.ts';
import { BooksView } from '../../rollup/books/books.ts';
import { checkStore, type LedgerFigures } from './check-store.ts';
import { accountsOf } from './kept-accounts.ts';
import type { KeptLedgers } from './kept-ledgers.ts';
import { standingsOf, type MintStanding } from './mint-standing.ts';
import { pairFault } from './pair-fault.ts';
import type { TellProgress } from './progress.ts';

/** What a data folder has, and what is wrong with it. */
export interface Verification {
  /** Whether nothing is damaged, and every vault has what is owed out of it. */
  readonly isSound: boolean;
  readonly ledgers: readonly LedgerFigures[];
  readonly mints: readonly MintStanding[];
  /** What the rollup has accepted and base has not carried out. */
  readonly open: { readonly undelegations: number; readonly intents: number } | null;
  /** What is not as it was written, a sentence each. */
  readonly damage: readonly string[];
}

/** Reads all that a data folder keeps, and holds its parts against each other. */
export async function verifyLedgers(
  { base, rollup }: KeptLedgers,
  tell: TellProgress,
): Promise<Verification> {
  const checks = [];
  for (const ledger of rollup === null ? [base] : [base, rollup]) checks.push(await checkStore(ledger, tell));
  const ledgers = checks.map(({ figures }) => figures);
  const damage = checks.flatMap((check) => check.damage);
  try {
    const accounts = { base: accountsOf(base), rollup: rollup && accountsOf(rollup) };
    const books = accounts.rollup && new BooksView(accounts.rollup);
    const fault = pairFault({ base, rollup });
    if (fault !== null) damage.push(fault);
    // One of before base was reset begins anew at the next start.
    const isOfBase = books?.baseGenesisHash === base.identity.genesisHash;
    const mints = standingsOf(accounts.base, isOfBase ? accounts.rollup : null);
    const isSolvent = mints.every(({ vault }) => vault === null || vault.fault === null);
    const open = books && { undelegations: books.requests().length, intents: books.intents().length };
    return { isSound: damage.length === 0 && isSolvent, ledgers, mints, open, damage };
  } catch (error) {
    // It is among the damage already: all of the accounts were read.
    if (!isServiceError(error) || error.code !== 'LEDGER_DAMAGED' || damage.length === 0) throw error;
    return { isSound: false, ledgers, mints: [], open: null, damage };
  }
}
