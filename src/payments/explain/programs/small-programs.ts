import { quoted } from '../../../errors/quoted-text.ts';
import { MEMO_PROGRAM_V1 } from '../../../programs/addresses.ts';
import { ASSOCIATED_TOKEN, ASSOCIATED_TOKEN_TABLE } from '../../../programs/associated-token.ts';
import { COMPUTE_BUDGET, COMPUTE_BUDGET_TABLE } from '../../../programs/compute-budget.ts';
import { EMPTY_TABLE_BYTES, LOOKUP_TABLE_TABLE, LOOKUP_TABLES } from '../../../programs/lookup-table.ts';
import { MEMO, MEMO_TABLE } from '../../../programs/memo.ts';
import { formsOf, type KnownProgram, type Meaning } from '../call.ts';
import { caution } from '../finding.ts';
import { creationEffects, lamportEffects, type Reading } from '../reading.ts';
import { noteFindings } from '../text-findings.ts';
import { ataRent, closingEffects, lamportsOf, syncEffects, unknownLamports } from './account-lamports.ts';

const createAta = (action: string, ending: string): Meaning => ({
  action,
  say: (r) =>
    `${r.name('payer')} pays for the token account ${r.name('ata')} of ${r.name('owner')} for mint ${r.name('mint')}${ending}`,
  effects: (r, earlier) => {
    const creation = creationEffects(r, 'ata', 'token account', ataRent(r));
    // A new account of wrapped SOL has all lamports beyond its rent as tokens.
    return lamportsOf(r, 'ata', earlier)?.isWrapped === false
      ? [...creation, ...syncEffects(r, 'ata', [...earlier, ...creation])]
      : creation;
  },
});

export const associatedTokenProgram: KnownProgram = {
  ...ASSOCIATED_TOKEN,
  forms: formsOf(ASSOCIATED_TOKEN_TABLE, {
    create: createAta('createAta', ''),
    createIdempotent: createAta('createAtaIdempotent', ', unless it exists'),
  }),
};

const noteText = (r: Reading): string => Buffer.from(r.bytes('text')).toString('utf8');

const memo: Meaning = {
  action: 'note',
  say: (r) => `The public note reads ${quoted(noteText(r))}`,
  findings: (r) => noteFindings(noteText(r)),
};

export const memoProgram: KnownProgram = { ...MEMO, forms: formsOf(MEMO_TABLE, { memo }) };
export const memoProgramV1: KnownProgram = { ...memoProgram, address: MEMO_PROGRAM_V1 };

export const computeBudgetProgram: KnownProgram = {
  ...COMPUTE_BUDGET,
  forms: formsOf(COMPUTE_BUDGET_TABLE, {
    requestHeap: {
      say: (r) => `Programs get a heap of ${r.amount('bytes')} bytes`,
    },
    setComputeUnitLimit: {
      say: (r) => `At most ${r.amount('units')} compute units may be used`,
    },
    setComputeUnitPrice: {
      say: (r) => `The fee payer adds ${r.amount('microLamports')} micro-lamports per compute unit`,
    },
    setLoadedAccountsDataSizeLimit: {
      say: (r) => `At most ${r.amount('bytes')} bytes of accounts may be loaded`,
    },
  }),
};

const table = (r: Reading): string => `Lookup table ${r.name('lookupTable')}`;

const addedCount = (r: Reading): number => (r.bytes('addresses').length - 8) / 32;

const ADDED_DANGER = 'Transactions that name the table could then name these addresses through it.';

/** Whether a transaction creates its table, and the ledger was not asked whether the table exists already. */
const isCreatedUnread = (r: Reading): boolean =>
  r.creationOf('lookupTable') !== null && r.accountOf('lookupTable') === undefined;

/**
 * Whether others may use the table already. That the transaction creates it proves nothing: creating an
 * existing table succeeds and changes nothing (Address Lookup Table program).
 */
const mayBeThere = (r: Reading): boolean => r.accountOf('lookupTable') !== null && !isCreatedUnread(r);

/**
 * The lookup table program. No payment changes a table. A signed change of an existing table gives it away,
 * or breaks it for every transaction that uses it. A table that does not exist yet has no users.
 */
export const lookupTableProgram: KnownProgram = {
  ...LOOKUP_TABLES,
  forms: formsOf(LOOKUP_TABLE_TABLE, {
    createLookupTable: {
      say: (r) => `${table(r)} is created, under ${r.name('authority')}`,
      effects: (r) => creationEffects(r, 'lookupTable', 'lookup table', r.rent(EMPTY_TABLE_BYTES)),
      danger: (r) =>
        r.account('authority') === r.account('payer')
          ? null
          : `${r.name('payer')} pays for the table, and ${r.name('authority')} would own it.`,
    },
    freezeLookupTable: {
      say: (r) => `${table(r)} can never be changed again`,
      danger: (r) => `${table(r)} could never be closed again, so its lamports would be lost.`,
    },
    extendLookupTable: {
      say: (r) => `${addedCount(r)} addresses are added to lookup table ${r.name('lookupTable')}`,
      // At most: a table with more than its rent is not topped up.
      effects: (r) =>
        r.account('payer') === null || r.scene.rent === null
          ? []
          : lamportEffects(
              r.account('payer'),
              r.account('lookupTable'),
              BigInt(addedCount(r)) * 32n * r.scene.rent.lamportsPerByte,
            ),
      danger: (r) => (mayBeThere(r) ? ADDED_DANGER : null),
      findings: (r) =>
        isCreatedUnread(r)
          ? [
              caution(
                'DANGEROUS_INSTRUCTION',
                `Whether ${table(r)} is there already was not read. If it is, creating it changes nothing: ${ADDED_DANGER}`,
              ),
            ]
          : [],
    },
    deactivateLookupTable: {
      say: (r) => `${table(r)} is deactivated`,
      danger: () => 'Every transaction that names the table would fail from then on, and it can be closed.',
    },
    closeLookupTable: {
      say: (r) =>
        `${table(r)} is closed; its lamports${unknownLamports(r, 'lookupTable')} go to ${r.name('destination')}`,
      effects: (r, earlier) => closingEffects(r, { role: 'lookupTable' }, earlier),
      danger: (r) => `The table would be gone, and its lamports would be with ${r.name('destination')}.`,
    },
  }),
};
