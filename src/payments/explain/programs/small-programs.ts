import { MEMO_PROGRAM_V1 } from '../../../programs/addresses.ts';
import { ASSOCIATED_TOKEN, ASSOCIATED_TOKEN_TABLE } from '../../../programs/associated-token.ts';
import { COMPUTE_BUDGET, COMPUTE_BUDGET_TABLE } from '../../../programs/compute-budget.ts';
import { MEMO, MEMO_TABLE } from '../../../programs/memo.ts';
import { formOf, type KnownProgram, type Meaning } from '../form.ts';
import { quoted } from '../../../errors/quoted-text.ts';
import { creationEffects, type Reading } from '../reading.ts';
import { textFindings } from '../text-findings.ts';
import { lamportsOf } from './account-lamports.ts';
import { ataRent } from './ata-rent.ts';
import { syncEffects } from './syncing.ts';

const createAta = (action: string, ending: string): Meaning => ({
  action,
  say: (r) =>
    `${r.name('payer')} pays for the token account ${r.name('ata')} of ${r.name('owner')} for mint ${r.name('mint')}${ending}`,
  effects: (r, earlier) => {
    const creation = creationEffects(r, 'ata', 'token account', ataRent(r));
    // A new account of wrapped SOL has all lamports beyond its rent as tokens.
    return lamportsOf(r, 'ata', earlier)?.isWrapped === false
      ? [...creation, ...syncEffects(r, 'ata', [...earlier, ...creation])]
      : creation;
  },
});

export const associatedTokenProgram: KnownProgram = {
  ...ASSOCIATED_TOKEN,
  forms: [
    formOf(ASSOCIATED_TOKEN_TABLE.create, createAta('createAta', '')),
    formOf(ASSOCIATED_TOKEN_TABLE.createIdempotent, createAta('createAtaIdempotent', ', unless it exists')),
  ],
};

const noteText = (r: Reading): string => Buffer.from(r.bytes('text')).toString('utf8');

const note = formOf(MEMO_TABLE.memo, {
  action: 'note',
  say: (r) => `The public note reads ${quoted(noteText(r))}`,
  findings: (r) => textFindings('note', noteText(r)),
});

export const memoProgram: KnownProgram = { ...MEMO, forms: [note] };
export const memoProgramV1: KnownProgram = { ...memoProgram, address: MEMO_PROGRAM_V1 };

export const computeBudgetProgram: KnownProgram = {
  ...COMPUTE_BUDGET,
  forms: [
    formOf(COMPUTE_BUDGET_TABLE.requestHeap, {
      say: (r) => `Programs get a heap of ${r.amount('bytes')} bytes`,
    }),
    formOf(COMPUTE_BUDGET_TABLE.setComputeUnitLimit, {
      say: (r) => `At most ${r.amount('units')} compute units may be used`,
    }),
    formOf(COMPUTE_BUDGET_TABLE.setComputeUnitPrice, {
      say: (r) => `The fee payer adds ${r.amount('microLamports')} micro-lamports per compute unit`,
    }),
    formOf(COMPUTE_BUDGET_TABLE.setLoadedAccountsDataSizeLimit, {
      say: (r) => `At most ${r.amount('bytes')} bytes of accounts may be loaded`,
    }),
  ],
};
