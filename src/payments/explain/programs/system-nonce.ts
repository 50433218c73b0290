import { SYSTEM_TABLE } from '../../../programs/system.ts';
import { describeLamports } from '../address-book.ts';
import type { FormFinding } from '../finding.ts';
import { formOf, type Form } from '../form.ts';
import { lamportEffects, spentBy, type Reading } from '../reading.ts';

/** Withdrawing everything closes the nonce account. To the authority itself nothing else is lost. */
function withdrawalFindings(r: Reading): FormFinding[] {
  const held = r.lamportsOf('nonceAccount');
  const closed =
    held === null
      ? ', and closes it if they are all it holds'
      : held === r.amount('lamports')
        ? ', which closes it'
        : '';
  const message = `It takes ${describeLamports(r.amount('lamports'))} out of nonce account ${r.name('nonceAccount')}${closed}, in favour of ${r.name('destination')}.`;
  return r.account('destination') === r.account('authority')
    ? [{ level: 'caution', code: 'NONCE_WITHDRAWN', message }]
    : [{ level: 'danger', code: 'DANGEROUS_INSTRUCTION', message }];
}

/** Durable nonce instructions of the system program (`SystemInstruction` 4 to 7 and 12). */
export const nonceForms: readonly Form[] = [
  formOf(SYSTEM_TABLE.advanceNonce, {
    say: (r) => `The durable nonce in ${r.name('nonceAccount')} is used up`,
    danger: () =>
      'With a durable nonce the transaction never expires: whoever has it signed can send it at any later time.',
  }),
  formOf(SYSTEM_TABLE.withdrawFromNonce, {
    action: 'withdrawNonce',
    say: (r) =>
      `${describeLamports(r.amount('lamports'))} go from nonce account ${r.name('nonceAccount')} to ${r.name('destination')}`,
    effects: (r) => {
      const lamports = r.amount('lamports');
      const moved = lamportEffects(r.account('nonceAccount'), r.account('destination'), lamports);
      return spentBy(r, 'authority', moved, lamports);
    },
    findings: withdrawalFindings,
  }),
  formOf(SYSTEM_TABLE.initializeNonce, {
    say: (r) => `${r.name('nonceAccount')} becomes a nonce account under ${r.address('authority')}`,
    danger: (r) =>
      r.creationOf('nonceAccount')?.payer === r.address('authority')
        ? null
        : `${r.address('authority')} would control ${r.name('nonceAccount')} and what it holds.`,
  }),
  formOf(SYSTEM_TABLE.authorizeNonce, {
    say: (r) => `${r.address('newAuthority')} takes over the nonce account ${r.name('nonceAccount')}`,
    danger: (r) => `${r.address('newAuthority')} would control the nonce account.`,
  }),
  formOf(SYSTEM_TABLE.upgradeNonce, {
    say: (r) => `The nonce account ${r.name('nonceAccount')} is brought to the present form`,
  }),
];
