import { SYSTEM_TABLE } from '../../../programs/system.ts';
import { describeLamports } from '../address-book.ts';
import { formOf, type Form } from '../form.ts';
import { lamportEffects, spentBy } from '../reading.ts';
import { allocationDanger, assignmentDanger, creationDanger } from './account-creation.ts';

/**
 * Instructions of the system program on accounts derived from a base key, which signs for them
 * (`SystemInstruction` 3 and 9 to 11).
 */
export const seededForms: readonly Form[] = [
  formOf(SYSTEM_TABLE.createAccountWithSeed, {
    say: (r) =>
      `${r.name('payer')} creates account ${r.name('account')}, derived from ${r.address('base')}, of ${r.amount('space')} bytes with ${describeLamports(r.amount('lamports'))} for program ${r.address('owner')}`,
    effects: (r) => lamportEffects(r.account('payer'), r.account('account'), r.amount('lamports')),
    danger: creationDanger,
  }),
  formOf(SYSTEM_TABLE.allocateWithSeed, {
    say: (r) =>
      `Account ${r.name('account')}, derived from ${r.name('base')}, gets ${r.amount('space')} bytes of data and is given to program ${r.address('owner')}`,
    danger: (r) => allocationDanger(r) ?? assignmentDanger(r),
  }),
  formOf(SYSTEM_TABLE.assignWithSeed, {
    say: (r) =>
      `Account ${r.name('account')}, derived from ${r.name('base')}, is given to program ${r.address('owner')}`,
    danger: assignmentDanger,
  }),
  formOf(SYSTEM_TABLE.transferWithSeed, {
    action: 'transferLamportsWithSeed',
    say: (r) =>
      `${describeLamports(r.amount('lamports'))} go from ${r.name('source')}, derived from ${r.name('base')}, to ${r.name('destination')}`,
    effects: (r) => {
      const lamports = r.amount('lamports');
      const moved = lamportEffects(r.account('source'), r.account('destination'), lamports);
      return spentBy(r, 'base', moved, lamports);
    },
  }),
];
