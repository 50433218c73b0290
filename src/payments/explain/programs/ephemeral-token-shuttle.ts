import { EPHEMERAL_TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { decodeEata } from '../../../programs/ephemeral-token/state.ts';
import { EARLY_SHUTTLE_TABLE, SHUTTLE_TABLE } from '../../../programs/ephemeral-token/table/shuttle.ts';
import { decodeTokenHolding } from '../../../programs/token/state.ts';
import { SHUTTLE_FEE_LAMPORTS } from '../../fees/shuttle-costs.ts';
import { PRIVATE_BASE_LAMPORTS } from '../../transfer/request/transfer-fees.ts';
import { describeLamports } from '../address-book.ts';
import type { Effect } from '../effects.ts';
import type { FormFinding } from '../finding.ts';
import { formOf, type Form, type Meaning } from '../form.ts';
import { lamportEffects, tokenEffect, transferEffect, type Reading } from '../reading.ts';
import { closingEffects } from './closing.ts';
import { toValidator } from './delegation.ts';
import { openingDanger, payeeDanger } from './shuttle-favour.ts';
import { validatorFindings } from './validator-findings.ts';

/** What a private transfer (tag 25) costs its payer in addition. */
const PRIVATE_TRANSFER_LAMPORTS = PRIVATE_BASE_LAMPORTS - SHUTTLE_FEE_LAMPORTS;
/** Fee of a private base-to-base transfer: 10 basis points, rounded down. */
const FEE_BPS = 10n;
const BPS = 10_000n;

const setupEffects = (r: Reading, extra = 0n): Effect[] => [
  ...lamportEffects(r.account('payer'), r.account('rentPda'), SHUTTLE_FEE_LAMPORTS),
  ...lamportEffects(r.account('payer'), null, extra),
];

/** What a private transfer takes from its sender, and what the recipient gets. */
function privateAmounts(r: Reading): { readonly debit: bigint; readonly paid: bigint; readonly fee: bigint } {
  const fee = (r.amount('amount') * FEE_BPS) / BPS;
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

/** The program reads as many bytes as the count says and ignores the rest. */
const termsDanger = (r: Reading): string | null =>
  r.bytes('sealedTerms').length === r.number('sealedTermsBytes') ? null : 'The sealed terms are malformed.';

/** Only the validator knows the recipient, so any payee may be in place of the intended one. */
const sealedFinding = (r: Reading): FormFinding => ({
  level: 'caution',
  code: 'SEALED_RECIPIENT',
  message: `Who is paid cannot be read here: the recipient is sealed for validator ${r.address('validator')}. Sign only what comes from a builder you trust.`,
});

const sealed = { owner: null, account: null, location: 'base', held: 'sealed' } as const;

const depositByShuttle = formOf(SHUTTLE_TABLE.depositByShuttle, {
  say: (r) =>
    `${r.name('owner')} deposits ${r.tokens('amount', r.account('mint'))} into the vault; on the rollup of ${toValidator(r.address('validator'))} they arrive in ${r.holder('destinationAta')}. ${r.name('payer')} pays ${describeLamports(SHUTTLE_FEE_LAMPORTS)} for it`,
  effects: (r) => [
    ...intoVault(r, r.amount('amount')),
    tokenEffect(r, 'destinationAta', r.amount('amount'), { mint: r.account('mint'), location: 'ephemeral' }),
    ...setupEffects(r),
  ],
  findings: (r) => validatorFindings(r, r.address('validator')),
});

const transferByShuttle = formOf(SHUTTLE_TABLE.transferByShuttle, {
  say: (r) => {
    const { debit, paid, fee } = privateAmounts(r);
    const mint = r.account('mint');
    return `${r.name('owner')} pays ${r.book.tokens(debit, mint)} into the vault for a private transfer: ${r.book.tokens(paid, mint)} for the recipient and ${r.book.tokens(fee, mint)} as fee. Recipient, delays, number of parts and reference are sealed: only validator ${r.address('validator')} can read them. ${r.name('payer')} pays ${describeLamports(SHUTTLE_FEE_LAMPORTS + PRIVATE_TRANSFER_LAMPORTS)} for it`;
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
});

const withdrawByShuttle = formOf(SHUTTLE_TABLE.withdrawByShuttle, {
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
});

const initShuttle: Meaning = {
  say: (r) =>
    `${r.name('payer')} pays for an empty shuttle ${r.name('shuttle')} of ${r.name('owner')} for mint ${r.name('mint')}`,
  danger: openingDanger,
};

const delegateShuttle: Meaning = {
  say: (r) => `Shuttle ${r.name('shuttle')} is handed over to ${toValidator(r.address('validator'))}`,
  findings: (r) => validatorFindings(r, r.address('validator')),
};

const closeShuttle = formOf(SHUTTLE_TABLE.undelegateAndCloseShuttle, {
  say: (r) =>
    `Shuttle ${r.name('shuttle')} is given back and closed; what is left in it goes to ${r.holder('ownerAta')}`,
  effects: (r) => [tokenEffect(r, 'ownerAta', null, { location: 'base', later: true })],
  danger: (r) => payeeDanger(r, 'ownerAta'),
});

const mergeShuttle = formOf(SHUTTLE_TABLE.mergeShuttle, {
  say: (r) =>
    `All tokens of mint ${r.name('mint')} in shuttle ${r.name('shuttle')} of ${r.name('owner')} go to ${r.holder('destinationAta')}`,
  effects: (r) => [
    tokenEffect(r, 'destinationAta', null, { mint: r.account('mint'), location: 'ephemeral' }),
  ],
  danger: (r) => payeeDanger(r, 'destinationAta'),
});

const scheduleSwap = formOf(SHUTTLE_TABLE.scheduleSwapTransfer, {
  say: (r) =>
    `What a swap leaves of mint ${r.address('mint')} in the stash ${r.name('stash')} of ${r.name('owner')} is to be paid on as a private transfer. Recipient, delays, number of parts and reference are sealed: only validator ${r.address('validator')} can read them`,
  effects: (r) => [tokenEffect(r, 'stash', null, { ...sealed, mint: r.address('mint') })],
  danger: termsDanger,
  findings: (r) => [...validatorFindings(r, r.address('validator')), sealedFinding(r)],
});

/** What a shuttle carries by the chain's word; null where it was not read, or its rollup alone knows. */
function carried(r: Reading): bigint | null {
  const [eata, ata] = [r.accountOf('shuttleEata'), r.accountOf('shuttleAta')];
  if (eata?.owner !== EPHEMERAL_TOKEN_PROGRAM || ata == null) return null;
  const [inEata, inAta] = [decodeEata(eata.data), decodeTokenHolding(ata.data)];
  return inEata === null || inAta === null ? null : inEata.amount + inAta.amount;
}

const recoverShuttle = formOf(SHUTTLE_TABLE.recoverShuttle, {
  say: (r) =>
    `Shuttle ${r.name('shuttle')} is closed; the tokens of mint ${r.name('mint')} that lie in it go to ${r.holder('destinationAta')}, its rents to ${r.name('rentRefund')}`,
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
  // The program itself pays no token account but one of the shuttle's owner.
});

/** Tags 11, 13 to 15, 24 to 26, 29 and 32: shuttles, one-way carriers of tokens. */
export const shuttleForms: readonly Form[] = [
  formOf(SHUTTLE_TABLE.initShuttle, initShuttle),
  formOf(SHUTTLE_TABLE.delegateShuttle, delegateShuttle),
  closeShuttle,
  mergeShuttle,
  depositByShuttle,
  transferByShuttle,
  withdrawByShuttle,
  scheduleSwap,
  recoverShuttle,
  formOf(EARLY_SHUTTLE_TABLE.initShuttle, initShuttle),
  formOf(EARLY_SHUTTLE_TABLE.delegateShuttle, delegateShuttle),
  formOf(EARLY_SHUTTLE_TABLE.undelegateAndCloseShuttle, {
    say: (r) => `Shuttle ${r.name('shuttle')} is given back and closed`,
    danger: (r) => payeeDanger(r, 'ownerAta'),
  }),
];
