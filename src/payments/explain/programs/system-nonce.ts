import { describeLamports } from '../address-book.ts';
import type { FormFinding } from '../finding.ts';
import type { Form } from '../form.ts';
import { lamportEffects, type Reading } from '../reading.ts';

/** A withdrawal of everything closes the nonce account; one in favour of the authority itself loses nothing else. */
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

/** Instructions of the system program on durable nonces (`SystemInstruction` 4 to 7 and 12). */
export const nonceForms: readonly Form[] = [
  {
    tag: 4,
    action: 'advanceNonce',
    accounts: ['nonceAccount', 'recentBlockhashesSysvar', 'authority'],
    fields: [],
    say: (r) => `The durable nonce in ${r.name('nonceAccount')} is used up`,
    danger: () =>
      'With a durable nonce the transaction never expires: whoever has it signed can send it at any later time.',
  },
  {
    tag: 5,
    action: 'withdrawNonce',
    accounts: ['nonceAccount', 'destination', 'recentBlockhashesSysvar', 'rentSysvar', 'authority'],
    fields: [['lamports', 'u64']],
    say: (r) =>
      `${describeLamports(r.amount('lamports'))} go from nonce account ${r.name('nonceAccount')} to ${r.name('destination')}`,
    effects: (r) => lamportEffects(r.account('nonceAccount'), r.account('destination'), r.amount('lamports')),
    findings: withdrawalFindings,
  },
  {
    tag: 6,
    action: 'initializeNonce',
    accounts: ['nonceAccount', 'recentBlockhashesSysvar', 'rentSysvar'],
    fields: [['authority', 'address']],
    say: (r) => `${r.name('nonceAccount')} becomes a nonce account under ${r.address('authority')}`,
    danger: (r) =>
      r.creationOf('nonceAccount')?.payer === r.address('authority')
        ? null
        : `${r.address('authority')} would control ${r.name('nonceAccount')} and what it holds.`,
  },
  {
    tag: 7,
    action: 'authorizeNonce',
    accounts: ['nonceAccount', 'authority'],
    fields: [['newAuthority', 'address']],
    say: (r) => `${r.address('newAuthority')} takes over the nonce account ${r.name('nonceAccount')}`,
    danger: (r) => `${r.address('newAuthority')} would control the nonce account.`,
  },
  {
    tag: 12,
    action: 'upgradeNonce',
    accounts: ['nonceAccount'],
    fields: [],
    say: (r) => `The nonce account ${r.name('nonceAccount')} is brought to the present form`,
  },
];
