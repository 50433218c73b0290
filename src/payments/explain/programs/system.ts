import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { describeLamports } from '../address-book.ts';
import type { Form, KnownProgram } from '../form.ts';
import { lamportEffects } from '../reading.ts';
import { allocationDanger, assignmentDanger, creationDanger } from './account-creation.ts';
import { nonceForms } from './system-nonce.ts';
import { seededForms } from './system-seeded.ts';

const plainForms: readonly Form[] = [
  {
    tag: 0,
    action: 'createAccount',
    accounts: ['payer', 'account'],
    fields: [
      ['lamports', 'u64'],
      ['space', 'u64'],
      ['owner', 'address'],
    ],
    say: (r) =>
      `${r.name('payer')} creates account ${r.name('account')} of ${r.amount('space')} bytes with ${describeLamports(r.amount('lamports'))} for program ${r.address('owner')}`,
    effects: (r) => lamportEffects(r.account('payer'), r.account('account'), r.amount('lamports')),
    danger: creationDanger,
  },
  {
    tag: 1,
    action: 'assign',
    accounts: ['account'],
    fields: [['owner', 'address']],
    say: (r) => `Account ${r.name('account')} is given to program ${r.address('owner')}`,
    danger: assignmentDanger,
  },
  {
    tag: 2,
    action: 'transferLamports',
    accounts: ['source', 'destination'],
    fields: [['lamports', 'u64']],
    say: (r) =>
      `${describeLamports(r.amount('lamports'))} go from ${r.name('source')} to ${r.name('destination')}`,
    effects: (r) => lamportEffects(r.account('source'), r.account('destination'), r.amount('lamports')),
  },
  {
    tag: 8,
    action: 'allocate',
    accounts: ['account'],
    fields: [['space', 'u64']],
    say: (r) => `Account ${r.name('account')} gets ${r.amount('space')} bytes of data`,
    danger: allocationDanger,
  },
];

/** The system program, by the u32 of `SystemInstruction`. */
export const systemProgram: KnownProgram = {
  address: SYSTEM_PROGRAM,
  name: 'system program',
  tagBytes: 4,
  forms: [...plainForms, ...seededForms, ...nonceForms],
};
