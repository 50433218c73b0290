import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import type { Form, KnownProgram } from '../form.ts';
import { tokenAccountForms } from './token-account.ts';
import { authorityForms } from './token-authority.ts';
import { supplyForms } from './token-supply.ts';
import { transferForms, transferWithFee } from './token-transfer.ts';

/** Instructions that SPL Token and Token-2022 share, by the byte of `TokenInstruction`. */
const shared: readonly Form[] = [...tokenAccountForms, ...transferForms, ...authorityForms, ...supplyForms];

export const splTokenProgram: KnownProgram = {
  address: TOKEN_PROGRAM,
  name: 'SPL Token',
  tagBytes: 1,
  forms: shared,
};

export const token2022Program: KnownProgram = {
  address: TOKEN_2022_PROGRAM,
  name: 'Token-2022',
  tagBytes: 1,
  forms: [...shared, transferWithFee],
};
