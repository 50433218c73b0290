import { INTERNAL_TABLE } from '../../../programs/ephemeral-token/table/internal.ts';
import { viewOf } from '../../../solana/byte-reader.ts';
import { describeLamports } from '../address-book.ts';
import { type Form, formsOf, type Meaning } from '../call.ts';
import { lamportEffects, type Reading, tokenEffect, transferEffect } from '../reading.ts';
import { closingEffects } from './account-lamports.ts';
import { notForWallets } from './common-findings.ts';

const internal = (meaning: Meaning): Meaning => ({ findings: notForWallets, ...meaning });

const payQueued = internal({
  say: (r) => {
    const reference = r.has('clientRefId') ? `, with reference ${r.amount('clientRefId')}` : '';
    return `${r.tokens('amount', r.account('mint'))} are paid from the vault to ${r.name('destinationOwner')}, as requested by the transfer queue ${r.name('escrowAuthority')}${reference}`;
  },
  effects: (r) => {
    const mint = r.account('mint');
    const vault = { mint, owner: r.account('vault'), location: 'base', held: 'vault' } as const;
    return [
      transferEffect(r, 'vaultAta', -r.amount('amount'), vault),
      transferEffect(r, 'destinationAta', r.amount('amount'), {
        mint,
        owner: r.account('destinationOwner'),
        location: 'base',
      }),
    ];
  },
});

/** The amount at the start of a callback's payload, base units as u64; empty if there is none. */
function amountText(r: Reading, mint: 'mint' | null): string {
  const payload = r.bytes('payload');
  if (payload.length < 8) return '';
  const amount = viewOf(payload).getBigUint64(0, true);
  return ` of ${mint === null ? `${amount} base units` : r.scene.book.tokens(amount, r.account(mint))}`;
}

const outcomeText = (r: Reading): string =>
  r.amount('succeeded') === 0n ? `failed on base (${r.text('error')})` : 'has landed on base';

/** Tags 201 to 209: instructions that only the validator runs. */
export const internalForms: readonly Form[] = formsOf(INTERNAL_TABLE, {
  settleShuttle: internal({
    say: (r) =>
      `Shuttle ${r.name('shuttle')} is closed; its remaining tokens go to ${r.holder('destinationAta')}, its rent to ${r.name('rentRefund')}`,
    effects: (r, earlier) => [
      tokenEffect(r, 'destinationAta', null, { mint: r.account('mint'), location: 'base' }),
      ...['shuttle', 'shuttleEata', 'shuttleAta'].flatMap((role) =>
        closingEffects(r, { role, to: 'rentRefund' }, earlier),
      ),
    ],
  }),
  payQueued,
  payQueuedWithReference: payQueued,
  tickQueue: internal({
    say: (r) => `Transfer queue ${r.name('queue')} pays out the transfers that are due`,
  }),
  deliverLamports: internal({
    say: (r) =>
      `${describeLamports(r.amount('lamports'))} that ${r.name('payer')} sent arrive in ${r.name('destination')}`,
    effects: (r) => lamportEffects(r.account('lamportsPda'), r.account('destination'), r.amount('lamports')),
  }),
  giveBackLamportsPda: internal({
    say: (r) => `The carrier ${r.name('lamportsPda')} of a transfer of lamports is returned, to be closed`,
  }),
  closeLamportsPda: internal({
    say: (r) =>
      `The carrier ${r.name('lamportsPda')} of a transfer of lamports is closed; its rent goes to ${r.name('rentPda')}`,
    effects: (r, earlier) => closingEffects(r, { role: 'lamportsPda', to: 'rentPda' }, earlier),
  }),
  markRefill: internal({
    say: (r) => `Transfer queue ${r.name('escrowAuthority')} is marked as short of lamports`,
  }),
  recordPayout: internal({
    say: (r) =>
      `A payment${amountText(r, 'mint')} from ${r.name('sourceOwner')} ${outcomeText(r)}; its receipt ${r.name('receipt')} records this`,
  }),
  recordRefund: internal({
    say: (r) => `A refund${amountText(r, null)} to ${r.name('refundOwner')} ${outcomeText(r)}`,
  }),
});
