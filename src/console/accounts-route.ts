import { z } from 'zod';
import { deriveAta } from '../programs/associated-token.ts';
import { deriveEata } from '../programs/ephemeral-token/pdas.ts';
import type { TokenAccounts } from './answers.ts';
import { ADDRESS, createPostRoute, type ApiRoute } from './api-route.ts';

const BODY_BYTES_MAX = 1_024;

/** `POST /console/api/accounts`: derives a wallet's accounts for a mint, whether or not they exist. */
export const ACCOUNTS_ROUTE: ApiRoute = createPostRoute('/console/api/accounts', BODY_BYTES_MAX, {
  input: z.object({ wallet: ADDRESS, mint: ADDRESS, tokenProgram: ADDRESS }),
  run: ({ wallet, mint, tokenProgram }): TokenAccounts => ({
    ata: deriveAta(wallet, mint, tokenProgram).address,
    eata: deriveEata(wallet, mint).address,
  }),
});
