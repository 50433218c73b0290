import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { forReading, readTokenAccount } from './accounts/token-account.ts';
import { notesMember, notesOf } from './building/built-transaction.ts';
import { notesOfMint } from './building/warnings.ts';
import { balanceInput, decimalText } from './fields/fields.ts';
import { describeTokens } from './mints/common-mints.ts';
import { readMint } from './mints/mint-facts.ts';
import { readMintTerms } from './mints/mint-terms.ts';
import { defineOperation } from './operation.ts';

const output = z.object({
  address: z.string().meta({ description: 'The requested wallet.' }),
  mint: z.string().meta({ description: 'The requested mint.' }),
  ata: z.string().meta({ description: "The wallet's associated token account of the mint." }),
  location: z.literal('base').meta({ description: 'Where the balance was read: the base ledger.' }),
  balance: decimalText(
    'Base units in the token account, as a decimal string; "0" if the account does not exist.',
  ),
  ...notesMember,
});

/**
 * Reads the balance of a wallet's ATA on base. A missing account has a balance of zero. An account that
 * cannot be read or belongs to someone else is an error, never zero.
 *
 * Errors: CLUSTER_NOT_ALLOWED, MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM, TOKEN_ACCOUNT_OWNER_MISMATCH,
 * ACCOUNT_UNREADABLE.
 */
export function createGetBalance(clusters: Clusters) {
  return defineOperation({
    name: 'getBalance',
    title: 'Read a base balance',
    description:
      "Reads how many tokens of a mint a wallet's associated token account holds on the base ledger, in base units. Tokens that were deposited into the rollup are not part of it.",
    effect: 'read',
    input: balanceInput(clusters.names),
    output,
    run: async (input) => {
      const chain = clusters.resolve(input.cluster);
      const facts = await readMint(chain, input.mint);
      const ata = deriveAta(input.address, input.mint, facts.tokenProgram).address;
      const [[account = null], terms] = await Promise.all([
        chain.getAccounts([ata]),
        readMintTerms(chain, facts),
      ]);
      const expected = { ata, owner: input.address, mint: input.mint, tokenProgram: facts.tokenProgram };
      const tokens = readTokenAccount(expected, account, forReading);
      const balance = tokens?.amount ?? 0n;
      const notes = [
        `${input.address} holds ${describeTokens(balance, facts)} on the base ledger.`,
        ...notesOfMint(facts, terms),
      ];
      return {
        output: {
          address: input.address,
          mint: input.mint,
          ata,
          location: 'base' as const,
          balance: balance.toString(),
          ...notesOf(notes),
        },
        sentences: ['Fetched the base SPL balance.', ...notes],
      };
    },
  });
}
