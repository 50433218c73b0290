import { z } from 'zod';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { isAddress, type Address } from '../../solana/address.ts';
import type { TokenAccounts } from '../answers.ts';
import { createPostRoute } from '../api-input.ts';
import type { ApiRoute } from '../api-route.ts';

const BODY_BYTES_MAX = 1_024;

const address = z
  .string()
  .refine(isAddress, { error: 'must be a base58 address' }) as unknown as z.ZodType<Address>;

/** `POST /console/api/accounts`: the accounts that a wallet has for a mint, whether or not they exist. */
export const ACCOUNTS_ROUTE: ApiRoute = createPostRoute('/console/api/accounts', BODY_BYTES_MAX, {
  input: z.object({ wallet: address, mint: address, tokenProgram: address }),
  run: ({ wallet, mint, tokenProgram }): TokenAccounts => ({
    ata: deriveAta(wallet, mint, tokenProgram).address,
    eata: deriveEata(wallet, mint).address,
  }),
});
