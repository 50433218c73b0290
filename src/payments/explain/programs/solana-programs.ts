import { quoted } from '../../../errors/quoted-text.ts';
import { MEMO_PROGRAM_V1, SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { ASSOCIATED_TOKEN, ASSOCIATED_TOKEN_TABLE } from '../../../programs/associated-token.ts';
import { COMPUTE_BUDGET, COMPUTE_BUDGET_TABLE } from '../../../programs/compute-budget.ts';
import { EMPTY_TABLE_BYTES, LOOKUP_TABLE_TABLE, LOOKUP_TABLES } from '../../../programs/lookup-table.ts';
import { MEMO, MEMO_TABLE } from '../../../programs/memo.ts';
import { SYSTEM, SYSTEM_TABLE } from '../../../programs/system.ts';
import { isTokenProgram } from '../../../programs/token/state.ts';
import { describeLamports } from '../address-book.ts';
import { formsOf, type KnownProgram, type Meaning } from '../call.ts';
import { caution, danger, type Finding } from '../finding.ts';
import { creationEffects, lamportEffects, type Reading, spentBy } from '../reading.ts';
import { ataRent, closingEffects, lamportsOf, syncEffects, unknownLamports } from './account-lamports.ts';
import { noteFindings } from './common-findings.ts';

/**
 * Warns against paying for an account that a call creates. Returns null for plain wallets, which are ordinary
 * payments, and for accounts that the payer keeps, such as a token account or nonce assigned to the payer in
 * the same transaction.
 */
function creationDanger(r: Reading): string | null {
  const account = r.name('account');
  const created = r.creationOf('account');
  if (created === null) {
    return `An earlier instruction names ${account}, so it may not be new. If it is a wallet, its owner loses it.`;
  }
  const program = r.address('owner');
  if (program !== SYSTEM_PROGRAM && !isTokenProgram(program)) {
    return `The lamports in ${account} would belong to program ${program}, and what it does with them is unknown.`;
  }
  if (created.holder !== null) {
    return created.holder === r.account('payer')
      ? null
      : `${r.name('payer')} pays for ${account}, and ${created.holder} would own it.`;
  }
  if (program !== SYSTEM_PROGRAM) {
    return `The transaction does not initialize token account ${account}: anyone can initialize it first and own it.`;
  }
  return r.amount('space') === 0n
    ? null
    : `${account} would have data that no program uses, and such an account can never pay.`;
}

/** Checks whether the account is created for its payer, who then loses nothing. */
function isCreatedForPayer(r: Reading): boolean {
  const created = r.creationOf('account');
  return created !== null && created.holder !== null && created.holder === created.payer;
}

const allocationDanger = (r: Reading): string | null =>
  isCreatedForPayer(r)
    ? null
    : `${r.name('account')} would have data, and could never pay again: its contents would be locked forever.`;

const assignmentDanger = (r: Reading): string | null =>
  isCreatedForPayer(r)
    ? null
    : `${r.name('account')} would belong to program ${r.address('owner')}, which can then take its lamports. It could never pay again.`;

/** Reports a nonce withdrawal: a danger unless the authority gets it. Withdrawing all closes the account. */
function withdrawalFindings(r: Reading): Finding[] {
  const held = r.lamportsOf('nonceAccount');
  const closed =
    held === null
      ? ', and closes it if they are all it holds'
      : held === r.amount('lamports')
        ? ', which closes it'
        : '';
  const message = `It withdraws ${describeLamports(r.amount('lamports'))} from nonce account ${r.name('nonceAccount')}${closed}, and pays them to ${r.name('destination')}.`;
  return r.account('destination') === r.account('authority')
    ? [caution('NONCE_WITHDRAWN', message)]
    : [danger('DANGEROUS_INSTRUCTION', message)];
}

export const systemProgram: KnownProgram = {
  ...SYSTEM,
  forms: formsOf(SYSTEM_TABLE, {
    createAccount: {
      say: (r) =>
        `${r.name('payer')} creates account ${r.name('account')} of ${r.amount('space')} bytes with ${describeLamports(r.amount('lamports'))} for program ${r.address('owner')}`,
      effects: (r) => lamportEffects(r.account('payer'), r.account('account'), r.amount('lamports')),
      danger: creationDanger,
    },
    assign: {
      say: (r) => `Account ${r.name('account')} is assigned to program ${r.address('owner')}`,
      danger: assignmentDanger,
    },
    transfer: {
      action: 'transferLamports',
      say: (r) =>
        `${describeLamports(r.amount('lamports'))} go from ${r.name('source')} to ${r.name('destination')}`,
      effects: (r) => lamportEffects(r.account('source'), r.account('destination'), r.amount('lamports')),
    },
    allocate: {
      say: (r) => `Account ${r.name('account')} gets ${r.amount('space')} bytes of data`,
      danger: allocationDanger,
    },
    // The base key of the derived account signs.
    createAccountWithSeed: {
      say: (r) =>
        `${r.name('payer')} creates account ${r.name('account')}, derived from ${r.address('base')}, of ${r.amount('space')} bytes with ${describeLamports(r.amount('lamports'))} for program ${r.address('owner')}`,
      effects: (r) => lamportEffects(r.account('payer'), r.account('account'), r.amount('lamports')),
      danger: creationDanger,
    },
    allocateWithSeed: {
      say: (r) =>
        `Account ${r.name('account')}, derived from ${r.name('base')}, gets ${r.amount('space')} bytes of data and is assigned to program ${r.address('owner')}`,
      danger: (r) => allocationDanger(r) ?? assignmentDanger(r),
    },
    assignWithSeed: {
      say: (r) =>
        `Account ${r.name('account')}, derived from ${r.name('base')}, is assigned to program ${r.address('owner')}`,
      danger: assignmentDanger,
    },
    transferWithSeed: {
      action: 'transferLamportsWithSeed',
      say: (r) =>
        `${describeLamports(r.amount('lamports'))} go from ${r.name('source')}, derived from ${r.name('base')}, to ${r.name('destination')}`,
      effects: (r) => {
        const lamports = r.amount('lamports');
        const moved = lamportEffects(r.account('source'), r.account('destination'), lamports);
        return spentBy(r, 'base', moved, lamports);
      },
    },
    advanceNonce: {
      say: (r) => `The durable nonce in ${r.name('nonceAccount')} is used up`,
      danger: () =>
        'With a durable nonce the transaction never expires: anyone who has the signed transaction can send it at any time.',
    },
    withdrawFromNonce: {
      action: 'withdrawNonce',
      say: (r) =>
        `${describeLamports(r.amount('lamports'))} go from nonce account ${r.name('nonceAccount')} to ${r.name('destination')}`,
      effects: (r) => {
        const lamports = r.amount('lamports');
        const moved = lamportEffects(r.account('nonceAccount'), r.account('destination'), lamports);
        return spentBy(r, 'authority', moved, lamports);
      },
      findings: withdrawalFindings,
    },
    initializeNonce: {
      say: (r) => `${r.name('nonceAccount')} becomes a nonce account under ${r.address('authority')}`,
      danger: (r) =>
        r.creationOf('nonceAccount')?.payer === r.address('authority')
          ? null
          : `${r.address('authority')} would control ${r.name('nonceAccount')} and its lamports.`,
    },
    authorizeNonce: {
      say: (r) => `${r.address('newAuthority')} takes over the nonce account ${r.name('nonceAccount')}`,
      danger: (r) => `${r.address('newAuthority')} would control the nonce account.`,
    },
    upgradeNonce: {
      say: (r) => `The nonce account ${r.name('nonceAccount')} is upgraded to the current format`,
    },
  }),
};

const createAta = (action: string, ending: string): Meaning => ({
  action,
  say: (r) =>
    `${r.name('payer')} pays for the token account ${r.name('ata')} of ${r.name('owner')} for mint ${r.name('mint')}${ending}`,
  effects: (r, earlier) => {
    const creation = creationEffects(r, 'ata', 'token account', ataRent(r));
    // New accounts of wrapped SOL hold all lamports beyond the rent as tokens.
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
  say: (r) => `The public memo says ${quoted(noteText(r))}`,
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

/** Checks whether the transaction creates its table and no ledger was read to see if the table exists. */
const isCreatedUnread = (r: Reading): boolean =>
  r.creationOf('lookupTable') !== null && r.accountOf('lookupTable') === undefined;

/**
 * Checks whether the table may already be in use. Its creation in the transaction proves nothing, because
 * creating an existing table succeeds and changes nothing (Address Lookup Table program).
 */
const mayBeThere = (r: Reading): boolean => r.accountOf('lookupTable') !== null && !isCreatedUnread(r);

/**
 * The lookup table program. No payment changes a table. A signed change to an existing table gives it away,
 * or breaks every transaction that uses it. A new table has no users.
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
      // The amount is the maximum, because a table with more than its rent is not topped up.
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
                `Whether ${table(r)} already exists was not read. If it does, creating it changes nothing: ${ADDED_DANGER}`,
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
