import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../../programs/addresses.ts';
import { decodeLookupTable, type LookupTableState } from '../../../programs/lookup-table.ts';
import type { Address } from '../../../solana/address.ts';
import { listDifferences, type Difference } from '../request/compare.ts';
import type { Doubt } from '../request/expectation.ts';
import type { ChainFacts } from './chain-facts.ts';

/** A table as it should be before a transaction goes on with it. */
interface UnfinishedTable {
  readonly lookupTable: Address;
  readonly authority: Address;
  /** What it should hold, in order; null where that cannot be told. */
  readonly before: readonly Address[] | null;
}

/** What the ledger has against a table, and what it cannot tell of it. */
interface TableVerdict {
  readonly doubts: readonly Doubt[];
  readonly differences: readonly Difference[];
}

/** Holds a table against what base has of it; nothing where no ledger was read, which is told elsewhere. */
export function judgeTable(wanted: UnfinishedTable, facts: ChainFacts | null): TableVerdict {
  const { lookupTable } = wanted;
  const account = facts?.accounts.get(lookupTable);
  if (account === undefined) return { doubts: [], differences: [] };
  if (account === null) {
    const message = `Lookup table ${lookupTable} is not there yet, so that whose it is and what it holds cannot be told: have this one explained again when the transaction before it is confirmed.`;
    return { doubts: [{ claim: 'lookupTable', message }], differences: [] };
  }
  const table = account.owner === ADDRESS_LOOKUP_TABLE_PROGRAM ? decodeLookupTable(account.data) : null;
  if (table === null) {
    return { doubts: [], differences: [differs(`lookup table ${lookupTable}`, 'another account')] };
  }
  return { doubts: [], differences: tableDifferences(wanted, table) };
}

/** Requires that base has nothing yet where a table is to be created. */
export function judgeNewTable(
  { lookupTable }: Pick<UnfinishedTable, 'lookupTable'>,
  facts: ChainFacts | null,
): TableVerdict {
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

function tableDifferences({ authority, before }: UnfinishedTable, table: LookupTableState): Difference[] {
  const differences: Difference[] = [];
  if (table.deactivationSlot !== null) differences.push(differs('a table in use', 'being put out of use'));
  if (table.authority === null) {
    differences.push({ part: 'authority', expected: authority, found: 'nobody, as the table is frozen' });
  } else if (table.authority !== authority) {
    differences.push({ part: 'authority', expected: authority, found: table.authority });
  }
  if (before !== null) differences.push(...listDifferences('addresses', before, table.addresses));
  return differences;
}

const differs = (expected: string, found: string): Difference => ({ part: 'lookupTable', expected, found });
