import { TOKEN_2022_PROGRAM } from '../../../programs/addresses.ts';
import { SPL_TOKEN } from '../../../programs/token/table.ts';
import type { Form, KnownProgram } from '../form.ts';
import { tokenAccountForms } from './token-account.ts';
import { authorityForms } from './token-authority.ts';
import { supplyForms } from './token-supply.ts';
import { transferForms, transferWithFee } from './token-transfer.ts';

/** Instructions that SPL Token and Token-2022 share. */
const shared: readonly Form[] = [...tokenAccountForms, ...transferForms, ...authorityForms, ...supplyForms];

export const splTokenProgram: KnownProgram = { ...SPL_TOKEN, forms: shared };

export const token2022Program: KnownProgram = {
  ...SPL_TOKEN,
  address: TOKEN_2022_PROGRAM,
  name: 'Token-2022',
  forms: [...shared, transferWithFee],
};
