import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../../programs/addresses.ts';
import { decodeLookupTable, type LookupTableState } from '../../../programs/lookup-table.ts';
import type { Address } from '../../../solana/address.ts';
import type { Difference, Doubt } from '../finding.ts';
import { listDifferences } from '../request/compare.ts';
import type { ChainFacts } from './chain-facts.ts';

/** The expected state of a table before a transaction extends or freezes it. */
interface ExpectedTable {
  readonly lookupTable: Address;
  readonly authority: Address;
  /** Expected contents, in order; null if unknown. */
  readonly before: readonly Address[] | null;
}

/** Doubts and differences about a lookup table. */
interface TableCheck {
  readonly doubts: readonly Doubt[];
  readonly differences: readonly Difference[];
}

/** Compares a table with its state on base. Empty if no ledger was read, which is reported elsewhere. */
export function checkExistingTable(wanted: ExpectedTable, facts: ChainFacts | null): TableCheck {
  const { lookupTable } = wanted;
  const account = facts?.accounts.get(lookupTable);
  if (account === undefined) return { doubts: [], differences: [] };
  if (account === null) {
    const message = `Lookup table ${lookupTable} does not exist yet, so its authority and contents are unknown. Explain this transaction again after the one before it is confirmed.`;
    return { doubts: [{ claim: 'lookupTable', message }], differences: [] };
  }
  const table = account.owner === ADDRESS_LOOKUP_TABLE_PROGRAM ? decodeLookupTable(account.data) : null;
  if (table === null) {
    return { doubts: [], differences: [differs(`lookup table ${lookupTable}`, 'another account')] };
  }
  return { doubts: [], differences: tableDifferences(wanted, table) };
}

/** Requires that no table exists yet at the address of a new one. */
export function checkNewTable(
  { lookupTable }: Pick<ExpectedTable, 'lookupTable'>,
  facts: ChainFacts | null,
): TableCheck {
  const isThere = (facts?.accounts.get(lookupTable) ?? null) !== null;
  return {
    doubts: [],
    differences: isThere
      ? [
          differs(
            `lookup table ${lookupTable}, which is new`,
            'one that is there already, which this adds to',
          ),
        ]
      : [],
  };
}

function tableDifferences({ authority, before }: ExpectedTable, table: LookupTableState): Difference[] {
  const differences: Difference[] = [];
  if (table.deactivationSlot !== null) differences.push(differs('a table in use', 'being deactivated'));
  if (table.authority === null) {
    differences.push({ part: 'authority', expected: authority, found: 'none, because the table is frozen' });
  } else if (table.authority !== authority) {
    differences.push({ part: 'authority', expected: authority, found: table.authority });
  }
  if (before !== null) differences.push(...listDifferences('addresses', before, table.addresses));
  return differences;
}

const differs = (expected: string, found: string): Difference => ({ part: 'lookupTable', expected, found });
