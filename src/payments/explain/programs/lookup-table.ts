import { EMPTY_TABLE_BYTES } from '../../../programs/lookup-table.ts';
import { LOOKUP_TABLE_TABLE, LOOKUP_TABLES } from '../../../programs/lookup-table-instructions.ts';
import { formOf, type KnownProgram } from '../form.ts';
import { creationEffects, lamportEffects, type Reading } from '../reading.ts';
import { closingEffects, unknownLamports } from './closing.ts';

const table = (r: Reading): string => `Lookup table ${r.name('lookupTable')}`;

const addedCount = (r: Reading): number => (r.bytes('addresses').length - 8) / 32;

const ADDED_DANGER = 'Transactions that name the table could then name these addresses through it.';

/** Whether a transaction creates its table, and the ledger was not asked whether it is there already. */
const isCreatedUnread = (r: Reading): boolean =>
  r.creationOf('lookupTable') !== null && r.accountOf('lookupTable') === undefined;

/**
 * Whether others may use the table already. That the transaction creates it does not tell: creating one that
 * is there succeeds and changes nothing (Address Lookup Table program).
 */
const mayBeThere = (r: Reading): boolean => r.accountOf('lookupTable') !== null && !isCreatedUnread(r);

/**
 * The lookup table program. No payment changes a table: to sign a change of one that is there already hands
 * it over, or breaks it for every transaction that uses it. One that is not there yet nobody uses.
 */
export const lookupTableProgram: KnownProgram = {
  ...LOOKUP_TABLES,
  forms: [
    formOf(LOOKUP_TABLE_TABLE.createLookupTable, {
      say: (r) => `${table(r)} is created, under ${r.name('authority')}`,
      effects: (r) => creationEffects(r, 'lookupTable', 'lookup table', r.rent(EMPTY_TABLE_BYTES)),
      danger: (r) =>
        r.account('authority') === r.account('payer')
          ? null
          : `${r.name('payer')} pays for the table, and ${r.name('authority')} would have it.`,
    }),
    formOf(LOOKUP_TABLE_TABLE.freezeLookupTable, {
      say: (r) => `${table(r)} can never be changed again`,
      danger: (r) => `${table(r)} could never be closed again, nor its lamports be had back.`,
    }),
    formOf(LOOKUP_TABLE_TABLE.extendLookupTable, {
      say: (r) => `${addedCount(r)} addresses are added to lookup table ${r.name('lookupTable')}`,
      // At most: a table with more than its rent is not topped up.
      effects: (r) =>
        r.account('payer') === null || r.clusterRent === null
          ? []
          : lamportEffects(
              r.account('payer'),
              r.account('lookupTable'),
              BigInt(addedCount(r)) * 32n * r.clusterRent.lamportsPerByte,
            ),
      danger: (r) => (mayBeThere(r) ? ADDED_DANGER : null),
      findings: (r) =>
        isCreatedUnread(r)
          ? [
              {
                level: 'caution',
                code: 'DANGEROUS_INSTRUCTION',
                message: `Whether ${table(r)} is there already was not read. If it is, creating it changes nothing: ${ADDED_DANGER}`,
              },
            ]
          : [],
    }),
    formOf(LOOKUP_TABLE_TABLE.deactivateLookupTable, {
      say: (r) => `${table(r)} is put out of use`,
      danger: () => 'Every transaction that names the table would fail from then on, and it can be closed.',
    }),
    formOf(LOOKUP_TABLE_TABLE.closeLookupTable, {
      say: (r) =>
        `${table(r)} is closed; its lamports${unknownLamports(r, 'lookupTable')} go to ${r.name('destination')}`,
      effects: (r, earlier) => closingEffects(r, { role: 'lookupTable' }, earlier),
      danger: (r) => `The table would be gone, and its lamports would be with ${r.name('destination')}.`,
    }),
  ],
};
