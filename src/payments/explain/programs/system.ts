import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { describeLamports } from '../address-book.ts';
import type { KnownProgram } from '../form.ts';
import { lamportEffects } from '../reading.ts';

/** The system program, by the u32 of `SystemInstruction`. Forms with seeds are left out: no payment has them. */
export const systemProgram: KnownProgram = {
  address: SYSTEM_PROGRAM,
  name: 'system program',
  tagBytes: 4,
  forms: [
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
      effects: (r) => [...lamportEffects(r.account('payer'), r.account('account'), r.amount('lamports'))],
    },
    {
      tag: 1,
      action: 'assign',
      accounts: ['account'],
      fields: [['owner', 'address']],
      say: (r) => `Account ${r.name('account')} is given to program ${r.address('owner')}`,
      danger: (r) =>
        `${r.name('account')} would belong to program ${r.address('owner')}, which can then take its lamports.`,
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
      effects: (r) =>
        lamportEffects(r.account('nonceAccount'), r.account('destination'), r.amount('lamports')),
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
      tag: 8,
      action: 'allocate',
      accounts: ['account'],
      fields: [['space', 'u64']],
      say: (r) => `Account ${r.name('account')} gets ${r.amount('space')} bytes of data`,
    },
  ],
};
