import { EPHEMERAL_TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { decodeShuttle } from '../../../programs/ephemeral-token/layout-b/shuttle.ts';
import { decodeEata } from '../../../programs/ephemeral-token/state.ts';
import { INTERNAL_TABLE } from '../../../programs/ephemeral-token/table/internal.ts';
import { EARLY_SHUTTLE_TABLE, SHUTTLE_TABLE } from '../../../programs/ephemeral-token/table/shuttle.ts';
import { decodeTokenHolding } from '../../../programs/token/state.ts';
import { viewOf } from '../../../solana/byte-reader.ts';
import { isProgramAccount } from '../../accounts/token-account.ts';
import { SHUTTLE_FEE_LAMPORTS } from '../../fees/costs.ts';
import { PRIVATE_BASE_LAMPORTS, privateBaseFee } from '../../transfer/fees.ts';
import { describeLamports } from '../address-book.ts';
import { type Effect, type Form, formsOf, type Meaning } from '../call.ts';
import { caution, type Finding } from '../finding.ts';
import { lamportEffects, type Reading, tokenEffect, transferEffect } from '../reading.ts';
import { closingEffects } from './account-lamports.ts';
import { notForWallets, validatorFindings } from './common-findings.ts';
import { toValidator } from './magicblock-programs.ts';

/** Warns against paying for someone else's shuttle; null for the payer's own shuttle. */
function openingDanger(r: Reading): string | null {
  const [payer, owner] = [r.account('payer'), r.account('owner')];
  if (payer !== null && payer === owner) return null;
  const who = r.signs('owner') ? '' : ', who does not sign,';
  return `${r.name('payer')} pays for the shuttle, and ${r.name('owner')}${who} would own it.`;
}

/**
 * Warns if a shuttle's remaining tokens go to someone else's account. Returns null if the account in `role`
 * belongs to the shuttle's owner or, if the owner is unknown, to the only signer. With several signers, one
 * may be the thief.
 */
function payeeDanger(r: Reading, role: string): string | null {
  const payee = r.ownerOf(role);
  if (payee !== null && (payee === shuttleOwner(r) || r.isOnlySigner(payee))) return null;
  const who = payee === null ? ', whose owner is unknown' : ', who does not own the shuttle';
  return `The remaining tokens of the shuttle would go to ${r.holder(role)}${who}.`;
}

/** Returns the owner from the instruction (verified by the program) or the chain; null if neither has it. */
function shuttleOwner(r: Reading): string | null {
  const account = r.accountOf('shuttle');
  const known = account && isProgramAccount(account) ? decodeShuttle(account.data) : null;
  return known?.owner ?? r.account('owner');
}

/** Extra cost of a private transfer (tag 25) for its payer, in lamports. */
const PRIVATE_TRANSFER_LAMPORTS = PRIVATE_BASE_LAMPORTS - SHUTTLE_FEE_LAMPORTS;

const setupEffects = (r: Reading, extra = 0n): Effect[] => [
  ...lamportEffects(r.account('payer'), r.account('rentPda'), SHUTTLE_FEE_LAMPORTS),
  ...lamportEffects(r.account('payer'), null, extra),
];

/** Computes debit, payment and fee of a private transfer, in base units. */
function privateAmounts(r: Reading): { readonly debit: bigint; readonly paid: bigint; readonly fee: bigint } {
  const fee = privateBaseFee(r.amount('amount'));
  return r.amount('exactOut') === 1n
    ? { debit: r.amount('amount') + fee, paid: r.amount('amount'), fee }
    : { debit: r.amount('amount'), paid: r.amount('amount') - fee, fee };
}

function intoVault(r: Reading, debit: bigint): Effect[] {
  const mint = r.account('mint');
  return [
    tokenEffect(r, 'ownerAta', -debit, { mint, owner: r.account('owner'), location: 'base' }),
    transferEffect(r, 'vaultAta', debit, {
      mint,
      owner: r.account('vault'),
      location: 'base',
      held: 'vault',
    }),
  ];
}

/** Warns if the length of the sealed terms differs from the byte count. The program ignores extra bytes. */
const termsDanger = (r: Reading): string | null =>
  r.bytes('sealedTerms').length === r.number('sealedTermsBytes') ? null : 'The sealed terms are malformed.';

/** Warns about a sealed recipient, which may be anyone. */
const sealedFinding = (r: Reading): Finding =>
  caution(
    'SEALED_RECIPIENT',
    `The recipient cannot be read here: it is sealed for validator ${r.address('validator')}. Sign only if you trust the builder.`,
  );

const sealed = { owner: null, account: null, location: 'base', held: 'sealed' } as const;

const depositByShuttle: Meaning = {
  say: (r) =>
    `${r.name('owner')} deposits ${r.tokens('amount', r.account('mint'))} into the vault; on the rollup of ${toValidator(r.address('validator'))} they arrive in ${r.holder('destinationAta')}. ${r.name('payer')} pays ${describeLamports(SHUTTLE_FEE_LAMPORTS)} for it`,
  effects: (r) => [
    ...intoVault(r, r.amount('amount')),
    tokenEffect(r, 'destinationAta', r.amount('amount'), { mint: r.account('mint'), location: 'ephemeral' }),
    ...setupEffects(r),
  ],
  findings: (r) => validatorFindings(r, r.address('validator')),
};

const transferByShuttle: Meaning = {
  say: (r) => {
    const { debit, paid, fee } = privateAmounts(r);
    const mint = r.account('mint');
    return `${r.name('owner')} pays ${r.scene.book.tokens(debit, mint)} into the vault for a private transfer: ${r.scene.book.tokens(paid, mint)} for the recipient and ${r.scene.book.tokens(fee, mint)} as fee. Recipient, delays, number of parts and reference are sealed: only validator ${r.address('validator')} can read them. ${r.name('payer')} pays ${describeLamports(SHUTTLE_FEE_LAMPORTS + PRIVATE_TRANSFER_LAMPORTS)} for it`;
  },
  effects: (r) => {
    const { debit, paid } = privateAmounts(r);
    return [
      ...intoVault(r, debit),
      tokenEffect(r, 'owner', paid, { ...sealed, mint: r.account('mint') }),
      ...setupEffects(r, PRIVATE_TRANSFER_LAMPORTS),
    ];
  },
  danger: termsDanger,
  findings: (r) => [...validatorFindings(r, r.address('validator')), sealedFinding(r)],
};

const withdrawByShuttle: Meaning = {
  say: (r) =>
    `${r.name('owner')} withdraws ${r.tokens('amount', r.account('mint'))} from the private balance on the rollup of ${toValidator(r.address('validator'))} to token account ${r.name('ownerAta')}. ${r.name('payer')} pays ${describeLamports(SHUTTLE_FEE_LAMPORTS)} for it`,
  effects: (r) => {
    const known = { owner: r.account('owner'), mint: r.account('mint') };
    return [
      tokenEffect(r, 'ownerAta', -r.amount('amount'), { ...known, location: 'ephemeral' }),
      transferEffect(r, 'ownerAta', r.amount('amount'), { ...known, location: 'base', later: true }),
      ...setupEffects(r),
    ];
  },
  findings: (r) => validatorFindings(r, r.address('validator')),
};

const initShuttle: Meaning = {
  say: (r) =>
    `${r.name('payer')} pays for an empty shuttle ${r.name('shuttle')} of ${r.name('owner')} for mint ${r.name('mint')}`,
  danger: openingDanger,
};

const delegateShuttle: Meaning = {
  say: (r) => `Shuttle ${r.name('shuttle')} is delegated to ${toValidator(r.address('validator'))}`,
  findings: (r) => validatorFindings(r, r.address('validator')),
};

const undelegateAndCloseShuttle: Meaning = {
  say: (r) =>
    `Shuttle ${r.name('shuttle')} is returned and closed; its remaining tokens go to ${r.holder('ownerAta')}`,
  effects: (r) => [tokenEffect(r, 'ownerAta', null, { location: 'base', later: true })],
  danger: (r) => payeeDanger(r, 'ownerAta'),
};

const mergeShuttle: Meaning = {
  say: (r) =>
    `All tokens of mint ${r.name('mint')} in shuttle ${r.name('shuttle')} of ${r.name('owner')} go to ${r.holder('destinationAta')}`,
  effects: (r) => [
    tokenEffect(r, 'destinationAta', null, { mint: r.account('mint'), location: 'ephemeral' }),
  ],
  danger: (r) => payeeDanger(r, 'destinationAta'),
};

const scheduleSwapTransfer: Meaning = {
  say: (r) =>
    `The tokens of mint ${r.address('mint')} that a swap leaves in the stash ${r.name('stash')} of ${r.name('owner')} will be paid out as a private transfer, less a 0.1 % fee. The recipient, delays, number of parts and reference are sealed: only validator ${r.address('validator')} can read them. ${r.name('owner')} pays ${describeLamports(PRIVATE_BASE_LAMPORTS)} for the payout`,
  effects: (r) => [
    tokenEffect(r, 'stash', null, { ...sealed, mint: r.address('mint') }),
    ...lamportEffects(r.account('owner'), r.account('stash'), PRIVATE_BASE_LAMPORTS),
  ],
  danger: termsDanger,
  findings: (r) => [...validatorFindings(r, r.address('validator')), sealedFinding(r)],
};

/** Returns the tokens that a shuttle holds on base, in base units; null if unread or delegated. */
function carried(r: Reading): bigint | null {
  const [eata, ata] = [r.accountOf('shuttleEata'), r.accountOf('shuttleAta')];
  if (eata?.owner !== EPHEMERAL_TOKEN_PROGRAM || ata == null) return null;
  const [inEata, inAta] = [decodeEata(eata.data), decodeTokenHolding(ata.data)];
  return inEata === null || inAta === null ? null : inEata.amount + inAta.amount;
}

const recoverShuttle: Meaning = {
  say: (r) =>
    `Shuttle ${r.name('shuttle')} is closed; its tokens of mint ${r.name('mint')} go to ${r.holder('destinationAta')}, its rent to ${r.name('rentRefund')}`,
  effects: (r, earlier) => {
    const mint = r.account('mint');
    const amount = carried(r);
    const closed = ['shuttle', 'shuttleEata', 'shuttleAta'].flatMap((role) =>
      closingEffects(r, { role, to: 'rentRefund' }, earlier),
    );
    if (amount === null) {
      return [tokenEffect(r, 'destinationAta', null, { mint, location: 'base' }), ...closed];
    }
    return [
      ...closed,
      transferEffect(r, 'vaultAta', -amount, {
        mint,
        owner: r.account('vault'),
        location: 'base',
        held: 'vault',
      }),
      transferEffect(r, 'destinationAta', amount, { mint, location: 'base' }),
    ];
  },
  // There is no danger, because the program pays only token accounts of the shuttle's owner.
};

/** Tags 11, 13 to 15, 24 to 26, 29 and 32: shuttles, one-way carriers of tokens. */
export const shuttleForms: readonly Form[] = [
  ...formsOf(SHUTTLE_TABLE, {
    initShuttle,
    delegateShuttle,
    undelegateAndCloseShuttle,
    mergeShuttle,
    depositByShuttle,
    transferByShuttle,
    withdrawByShuttle,
    scheduleSwapTransfer,
    recoverShuttle,
  }),
  ...formsOf(EARLY_SHUTTLE_TABLE, {
    initShuttle,
    delegateShuttle,
    undelegateAndCloseShuttle: {
      say: (r) => `Shuttle ${r.name('shuttle')} is returned and closed`,
      danger: (r) => payeeDanger(r, 'ownerAta'),
    },
  }),
];

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

/** Formats the amount at the start of a callback's payload, a u64 in base units; empty if there is none. */
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
