import { describeLamports } from '../address-book.ts';
import type { FieldSpec } from '../field-reader.ts';
import type { Form } from '../form.ts';
import { lamportEffects } from '../reading.ts';
import { allocationDanger, assignmentDanger, creationDanger } from './account-creation.ts';

const derivation: readonly FieldSpec[] = [
  ['base', 'address'],
  ['seed', 'text'],
];

/**
 * Instructions of the system program on accounts that are derived from the key of a base, which signs for them
 * (`SystemInstruction` 3 and 9 to 11).
 */
export const seededForms: readonly Form[] = [
  {
    tag: 3,
    action: 'createAccountWithSeed',
    accounts: ['payer', 'account', 'base?'],
    fields: [...derivation, ['lamports', 'u64'], ['space', 'u64'], ['owner', 'address']],
    say: (r) =>
      `${r.name('payer')} creates account ${r.name('account')}, derived from ${r.address('base')}, of ${r.amount('space')} bytes with ${describeLamports(r.amount('lamports'))} for program ${r.address('owner')}`,
    effects: (r) => lamportEffects(r.account('payer'), r.account('account'), r.amount('lamports')),
    danger: creationDanger,
  },
  {
    tag: 9,
    action: 'allocateWithSeed',
    accounts: ['account', 'base'],
    fields: [...derivation, ['space', 'u64'], ['owner', 'address']],
    say: (r) =>
      `Account ${r.name('account')}, derived from ${r.name('base')}, gets ${r.amount('space')} bytes of data and is given to program ${r.address('owner')}`,
    danger: (r) => allocationDanger(r) ?? assignmentDanger(r),
  },
  {
    tag: 10,
    action: 'assignWithSeed',
    accounts: ['account', 'base'],
    fields: [...derivation, ['owner', 'address']],
    say: (r) =>
      `Account ${r.name('account')}, derived from ${r.name('base')}, is given to program ${r.address('owner')}`,
    danger: assignmentDanger,
  },
  {
    tag: 11,
    action: 'transferLamportsWithSeed',
    accounts: ['source', 'base', 'destination'],
    fields: [
      ['lamports', 'u64'],
      ['seed', 'text'],
      ['owner', 'address'],
    ],
    say: (r) =>
      `${describeLamports(r.amount('lamports'))} go from ${r.name('source')}, derived from ${r.name('base')}, to ${r.name('destination')}`,
    effects: (r) => lamportEffects(r.account('source'), r.account('destination'), r.amount('lamports')),
  },
];
