import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { SYSTEM, SYSTEM_TABLE } from '../../../programs/system.ts';
import { isTokenProgram } from '../../../programs/token/state.ts';
import { describeLamports } from '../address-book.ts';
import { formsOf, type KnownProgram, type Meaning } from '../call.ts';
import { caution, danger, type Finding } from '../finding.ts';
import { lamportEffects, type Reading, spentBy } from '../reading.ts';

type Meanings = Partial<Record<keyof typeof SYSTEM_TABLE, Meaning>>;

/**
 * Why a wallet should not pay for the account that a call creates. Null if the payer keeps it, as a token
 * account or nonce that the same transaction assigns to the payer, or if it is a plain wallet, which is an
 * ordinary payment.
 */
function creationDanger(r: Reading): string | null {
  const account = r.name('account');
  const created = r.creationOf('account');
  if (created === null) {
    return `An earlier instruction names ${account}: it need not be new, and a wallet that is created again is lost to its owner.`;
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
  return r.amount('space') === 0n ? null : `With data, and no program to use it, ${account} can never pay.`;
}

/** Whether the account is newly created for its payer, so nothing can be lost in it. */
function isCreatedForPayer(r: Reading): boolean {
  const created = r.creationOf('account');
  return created !== null && created.holder !== null && created.holder === created.payer;
}

/** Why an existing account must not be allocated data. */
const allocationDanger = (r: Reading): string | null =>
  isCreatedForPayer(r)
    ? null
    : `With data ${r.name('account')} can never pay again: its contents would be locked forever.`;

/** Why an existing account must not be assigned to a program. */
const assignmentDanger = (r: Reading): string | null =>
  isCreatedForPayer(r)
    ? null
    : `${r.name('account')} would belong to program ${r.address('owner')}, which can then take its lamports. It could never pay again.`;

/**
 * Instructions of the system program on accounts derived from a base key, which signs for them
 * (`SystemInstruction` 3 and 9 to 11).
 */
const seeded = {
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
} satisfies Meanings;

/** Withdrawing everything closes the nonce account. To the authority itself nothing else is lost. */
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

/** Durable nonce instructions of the system program (`SystemInstruction` 4 to 7 and 12). */
const nonces = {
  advanceNonce: {
    say: (r) => `The durable nonce in ${r.name('nonceAccount')} is used up`,
    danger: () =>
      'With a durable nonce the transaction never expires: anyone who has it signed can send it at any later time.',
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
    say: (r) => `The nonce account ${r.name('nonceAccount')} is brought to the present form`,
  },
} satisfies Meanings;

const plain = {
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
} satisfies Meanings;

export const systemProgram: KnownProgram = {
  ...SYSTEM,
  forms: formsOf(SYSTEM_TABLE, { ...plain, ...seeded, ...nonces }),
};
