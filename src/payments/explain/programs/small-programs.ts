import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
} from '../../../programs/addresses.ts';
import type { Address } from '../../../solana/address.ts';
import type { Form, KnownProgram } from '../form.ts';
import { quoted } from '../../../errors/quoted-text.ts';
import { creationEffects, type Reading } from '../reading.ts';
import { textFindings } from '../text-findings.ts';
import { ataRent } from './ata-rent.ts';

const createAta = (tag: number, action: string, ending: string): Form => ({
  tag,
  action,
  accounts: ['payer', 'ata', 'owner', 'mint', 'systemProgram', 'tokenProgram', 'rentSysvar?'],
  fields: [],
  say: (r) =>
    `${r.name('payer')} pays for the token account ${r.name('ata')} of ${r.name('owner')} for mint ${r.name('mint')}${ending}`,
  effects: (r) => creationEffects(r, 'ata', 'token account', ataRent(r)),
});

/** The associated token account program; no data at all is `Create`. */
export const associatedTokenProgram: KnownProgram = {
  address: ASSOCIATED_TOKEN_PROGRAM,
  name: 'associated token account program',
  tagBytes: 1,
  emptyTag: 0,
  forms: [createAta(0, 'createAta', ''), createAta(1, 'createAtaIdempotent', ', unless it exists')],
};

const noteText = (r: Reading): string => Buffer.from(r.bytes('text')).toString('utf8');

const note: Form = {
  tag: 0,
  action: 'note',
  accounts: [],
  more: 'signer',
  fields: [['text', 'rest']],
  say: (r) => `The public note reads ${quoted(noteText(r))}`,
  findings: (r) => textFindings('note', noteText(r)),
};

const memo = (address: Address): KnownProgram => ({
  address,
  name: 'memo program',
  tagBytes: 0,
  forms: [note],
});

export const memoProgram = memo(MEMO_PROGRAM);
export const memoProgramV1 = memo(MEMO_PROGRAM_V1);

/** The compute budget program (`ComputeBudgetInstruction`). */
export const computeBudgetProgram: KnownProgram = {
  address: COMPUTE_BUDGET_PROGRAM,
  name: 'compute budget program',
  tagBytes: 1,
  forms: [
    {
      tag: 1,
      action: 'requestHeap',
      accounts: [],
      fields: [['bytes', 'u32']],
      say: (r) => `Programs get a heap of ${r.amount('bytes')} bytes`,
    },
    {
      tag: 2,
      action: 'setComputeUnitLimit',
      accounts: [],
      fields: [['units', 'u32']],
      say: (r) => `At most ${r.amount('units')} compute units may be used`,
    },
    {
      tag: 3,
      action: 'setComputeUnitPrice',
      accounts: [],
      fields: [['microLamports', 'u64']],
      say: (r) => `The fee payer adds ${r.amount('microLamports')} micro-lamports per compute unit`,
    },
    {
      tag: 4,
      action: 'setLoadedAccountsDataSizeLimit',
      accounts: [],
      fields: [['bytes', 'u32']],
      say: (r) => `At most ${r.amount('bytes')} bytes of accounts may be loaded`,
    },
  ],
};
