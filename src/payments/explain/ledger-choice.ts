import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { LEDGERS, type Location } from '../building/built-transaction.ts';
import { programsOf } from '../simulation/with-simulation.ts';
import { isForRollup } from './explain-calls.ts';
import { type Finding, note } from './finding.ts';
import { identifyCalls } from './known-programs.ts';
import type { ParsedRequest } from './request/check-request.ts';

/**
 * The ledger of a transaction if the caller does not name it: that of its request, or the rollup if it calls
 * the rollup's native program, otherwise base.
 */
export function deriveLedger(request: ParsedRequest | null, transaction: Transaction): Location {
  return isForRollup(transaction) || requestsRollup(request, transaction) ? 'ephemeral' : 'base';
}

function requestsRollup(request: ParsedRequest | null, transaction: Transaction): boolean {
  switch (request?.operation) {
    case 'transfer':
      return (request.arguments as { readonly fromBalance?: Location }).fromBalance === 'ephemeral';
    case 'undelegate':
      return true;
    // The first of its two transactions creates the pool on base, the second sets its keys on the rollup.
    case 'createStealthPool':
      return !identifyCalls(transaction).some(
        ({ matched }) => matched?.form.action === 'delegateStealthPool',
      );
    default:
      return false;
  }
}

const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([TOKEN_PROGRAM, TOKEN_2022_PROGRAM]);

/** Programs that exist on both ledgers and depend on neither. */
const LEDGER_BLIND_PROGRAMS: ReadonlySet<string> = new Set([
  ...TOKEN_PROGRAMS,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
]);

/** A plain token transfer does not show which ledger it is for; its sender has to know. */
export function ledgerFindings(
  transaction: Transaction,
  given: Location | undefined,
  location: Location,
): Finding[] {
  const programs = programsOf(transaction);
  const runsOnBoth =
    programs.some((program) => TOKEN_PROGRAMS.has(program)) &&
    programs.every((program) => LEDGER_BLIND_PROGRAMS.has(program));
  if (given !== undefined || !runsOnBoth) return [];
  const other = LEDGERS[location === 'base' ? 'ephemeral' : 'base'];
  const message = `Nothing in it names a ledger: the same bytes could also run on ${other}. It is explained for ${LEDGERS[location]}: send it to ${LEDGERS[location]} only.`;
  return [note('RUNS_ON_EITHER_LEDGER', message)];
}
