import { PERMISSION_PROGRAM } from '../../../programs/addresses.ts';
import type { Form, KnownProgram } from '../form.ts';
import { delegationEffects, permissionEffects, toValidator } from './delegation.ts';
import { memberFindings, membersText } from './permission-members.ts';
import { validatorFindings } from './validator-findings.ts';

const commitForm = (tag: number, action: string, ending: string): Form => ({
  tag,
  action,
  accounts: ['authority', 'account', 'permission', 'magicProgram', 'magicContext'],
  fields: [],
  say: (r) => `The permission ${r.name('permission')} of ${r.name('account')} is settled${ending}`,
});

/** The permission program (u64). */
export const permissionProgram: KnownProgram = {
  address: PERMISSION_PROGRAM,
  name: 'permission program',
  tagBytes: 8,
  forms: [
    {
      tag: 0,
      action: 'createPermission',
      accounts: ['account', 'permission', 'payer', 'systemProgram'],
      fields: [['members', 'members']],
      say: (r) => `Reading ${r.name('account')} on the rollup is open to ${membersText(r)}`,
      effects: (r) => permissionEffects(r, 'permission'),
      findings: memberFindings,
    },
    {
      tag: 1,
      action: 'updatePermission',
      accounts: ['authority', 'account', 'permission'],
      fields: [['members', 'members']],
      say: (r) => `Reading ${r.name('account')} on the rollup is from now on open to ${membersText(r)}`,
      danger: () => 'It changes who may read a private account.',
      findings: memberFindings,
    },
    {
      tag: 2,
      action: 'closePermission',
      accounts: ['payer', 'authority', 'account', 'permission'],
      fields: [],
      say: (r) => `The permission of ${r.name('account')} is closed; its lamports go to ${r.name('payer')}`,
      danger: () => 'It takes away the protection of a private account.',
    },
    {
      tag: 3,
      action: 'delegatePermission',
      accounts: [
        'payer',
        'authority',
        'account',
        'permission',
        'systemProgram',
        'permissionProgram',
        'permissionBuffer',
        'permissionRecord',
        'permissionMetadata',
        'delegationProgram',
        'validator?',
      ],
      fields: [],
      say: (r) =>
        `The permission ${r.name('permission')} of ${r.name('account')} is handed over to ${toValidator(r.account('validator'))}`,
      effects: (r) => delegationEffects(r, 'permission', [11, 32]),
      findings: (r) => validatorFindings(r, r.account('validator')),
    },
    commitForm(4, 'commitPermission', ''),
    commitForm(5, 'commitAndUndelegatePermission', ' and given back'),
  ],
};
