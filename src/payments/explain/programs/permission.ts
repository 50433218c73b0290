import { PERMISSION, PERMISSION_TABLE } from '../../../programs/permission/table.ts';
import { formOf, type KnownProgram, type Meaning } from '../form.ts';
import { delegationEffects, permissionEffects, toValidator } from './delegation.ts';
import { notForWallets } from './not-for-wallets.ts';
import { memberFindings, membersText, readersText } from './permission-members.ts';
import { validatorFindings } from './validator-findings.ts';

const settling = (ending: string): Meaning => ({
  say: (r) => `The permission ${r.name('permission')} of ${r.name('account')} is settled${ending}`,
});

export const permissionProgram: KnownProgram = {
  ...PERMISSION,
  forms: [
    formOf(PERMISSION_TABLE.createPermission, {
      say: (r) => `Reading ${r.name('account')} on the rollup is open to ${membersText(r)}`,
      effects: (r) => permissionEffects(r, 'permission'),
      findings: memberFindings,
    }),
    formOf(PERMISSION_TABLE.updatePermission, {
      say: (r) => `Reading ${r.name('account')} on the rollup is from now on open to ${membersText(r)}`,
      danger: () => 'It changes who may read a private account.',
      findings: memberFindings,
    }),
    formOf(PERMISSION_TABLE.closePermission, {
      say: (r) => `The permission of ${r.name('account')} is closed; its lamports go to ${r.name('payer')}`,
      danger: () => 'It takes away the protection of a private account.',
    }),
    formOf(PERMISSION_TABLE.delegatePermission, {
      say: (r) =>
        `The permission ${r.name('permission')} of ${r.name('account')} is handed over to ${toValidator(r.account('validator'))}`,
      effects: (r) => delegationEffects(r, 'permission', [11, 32]),
      findings: (r) => validatorFindings(r, r.account('validator')),
    }),
    formOf(PERMISSION_TABLE.commitPermission, settling('')),
    formOf(PERMISSION_TABLE.commitAndUndelegatePermission, settling(' and given back')),
    formOf(PERMISSION_TABLE.createEphemeralPermission, {
      say: (r) => `Reading ${r.name('account')}, which is on the rollup only, is open to ${readersText(r)}`,
      findings: notForWallets,
    }),
    formOf(PERMISSION_TABLE.closeEphemeralPermission, {
      say: (r) =>
        `The permission of ${r.name('account')}, which is on the rollup only, is closed; ${r.name('payer')} gets its rent`,
      danger: () => 'It takes away the protection of a private account.',
    }),
  ],
};
