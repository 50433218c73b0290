import { SYSTEM, SYSTEM_TABLE } from '../../../programs/system.ts';
import { describeLamports } from '../address-book.ts';
import { formOf, type Form, type KnownProgram } from '../form.ts';
import { lamportEffects } from '../reading.ts';
import { allocationDanger, assignmentDanger, creationDanger } from './account-creation.ts';
import { nonceForms } from './system-nonce.ts';
import { seededForms } from './system-seeded.ts';

const plainForms: readonly Form[] = [
  formOf(SYSTEM_TABLE.createAccount, {
    say: (r) =>
      `${r.name('payer')} creates account ${r.name('account')} of ${r.amount('space')} bytes with ${describeLamports(r.amount('lamports'))} for program ${r.address('owner')}`,
    effects: (r) => lamportEffects(r.account('payer'), r.account('account'), r.amount('lamports')),
    danger: creationDanger,
  }),
  formOf(SYSTEM_TABLE.assign, {
    say: (r) => `Account ${r.name('account')} is given to program ${r.address('owner')}`,
    danger: assignmentDanger,
  }),
  formOf(SYSTEM_TABLE.transfer, {
    action: 'transferLamports',
    say: (r) =>
      `${describeLamports(r.amount('lamports'))} go from ${r.name('source')} to ${r.name('destination')}`,
    effects: (r) => lamportEffects(r.account('source'), r.account('destination'), r.amount('lamports')),
  }),
  formOf(SYSTEM_TABLE.allocate, {
    say: (r) => `Account ${r.name('account')} gets ${r.amount('space')} bytes of data`,
    danger: allocationDanger,
  }),
];

export const systemProgram: KnownProgram = {
  ...SYSTEM,
  forms: [...plainForms, ...seededForms, ...nonceForms],
};
