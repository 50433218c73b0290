import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import { ataBytes } from '../programs/token/mint-extensions.ts';
import type { Address } from '../solana/address.ts';
import { requireWallet } from './accounts/wallet.ts';
import { buildTransaction, builtTransactionMembers, type Warning } from './building/built-transaction.ts';
import {
  notesMember,
  notesOf,
  signingAdvice,
  warningSentences,
  warningsMember,
  warningsOf,
} from './building/draft.ts';
import { warnOfTooFewLamports, warnOfUnknownValidator } from './building/warnings.ts';
import { resolveLayoutB } from './cluster-support.ts';
import { RENT_PDA } from './fees/costs.ts';
import { address, cluster } from './fields/fields.ts';
import { deriveMintSetupAccounts, planInitializeMint } from './initialize-mint/plan.ts';
import { type MintSetupState, readMintSetupState } from './initialize-mint/state.ts';
import { formatBaseUnits } from './mints/common-mints.ts';
import { readMint } from './mints/mint-facts.ts';
import { readMintTerms, requireMovable, requireWhole } from './mints/mint-terms.ts';
import type { Operation } from './operation.ts';

const output = z.object({
  kind: z.literal('initializeMint').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  validator: z.string().meta({ description: 'The validator the mint is made ready for.' }),
  transferQueue: z.string().meta({ description: 'The transfer queue of the mint on that validator.' }),
  rentPda: z.string().meta({ description: "The program's account that pays the rents of shuttles." }),
  ...notesMember,
  ...warningsMember,
});

const inputOf = (clusterNames: readonly string[]) =>
  z.strictObject({
    payer: address('The wallet that pays for the accounts. It signs. May also be named owner.'),
    mint: address('The mint to make ready.'),
    validator: address("The validator to make it ready for. Default: the cluster's own.").optional(),
    cluster: cluster(clusterNames).optional(),
  });

type Input = z.infer<ReturnType<typeof inputOf>>;
type Output = z.infer<typeof output>;

/**
 * Builds the unsigned transaction that sets up a mint for private transfers on a validator; layout B.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_OWNER, MINT_NOT_FOUND,
 * UNSUPPORTED_TOKEN_PROGRAM, UNSUPPORTED_MINT_EXTENSION, VALIDATOR_UNRESOLVED, MINT_ALREADY_INITIALIZED,
 * EATA_VALIDATOR_MISMATCH, ACCOUNT_UNREADABLE, UPSTREAM_*.
 */
export function createInitializeMint({
  clusters,
}: {
  readonly clusters: Clusters;
}): Operation<Input, Output> {
  return {
    name: 'initializeMint',
    title: 'Build a mint initialisation',
    description:
      'Builds an unsigned transaction that makes a mint ready for private transfers on a validator: its vault and its transfer queue, both delegated. Costs about 0.21 SOL when nothing exists yet. Returns the transaction as base64; it is neither signed nor sent. The payer must sign it and send it to the base ledger.',
    effect: 'build',
    input: inputOf(clusters.names) as z.ZodType<Input>,
    output,
    // The docs of the hosted API of 2026-08-05.
    otherNames: { owner: 'payer' },
    worksOn: ({ layout }) => layout === 'b',
    run: async (input) => {
      const chain = resolveLayoutB('initializeMint', input.cluster, clusters);
      requireWallet(input.payer, 'payer', 'the initialisation of a mint');
      const [facts, validator] = await Promise.all([
        readMint(chain, input.mint),
        input.validator ?? chain.validatorIdentity(),
      ]);
      const terms = await readMintTerms(chain, facts);
      requireMovable(facts, terms);
      requireWhole(facts, terms);
      const accounts = deriveMintSetupAccounts(facts.mint, facts.tokenProgram, validator);
      const state = await readMintSetupState(
        chain,
        accounts,
        input.payer,
        ataBytes(facts.tokenProgram, terms?.extensions ?? null),
      );
      const built = await buildTransaction(chain, input.payer, planInitializeMint(accounts, input.payer));
      const warnings = warningsFor(state, validator);
      const does = `It sets up mint ${facts.mint} on validator ${validator} and costs at least ${formatBaseUnits(state.lamportsNeeded, 9)} SOL, most of which stays in the transfer queue ${accounts.queue}.`;
      return {
        output: {
          kind: 'initializeMint',
          ...built,
          validator,
          transferQueue: accounts.queue,
          rentPda: RENT_PDA,
          ...notesOf([does]),
          ...warningsOf(warnings),
        },
        sentences: [
          'Built an unsigned SPL initializeMint transaction.',
          `${does} ${signingAdvice(input.payer, built)}`,
          ...warningSentences(warnings),
        ],
      };
    },
  };
}

function warningsFor(state: MintSetupState, validator: Address): Warning[] {
  const warnings: Warning[] = [];
  const { payerLamports: held, lamportsNeeded: needed } = state;
  if (held < needed) warnings.push(warnOfTooFewLamports('initialisation', { who: 'payer', held, needed }));
  if (!state.validatorAdmitted) warnings.push(warnOfUnknownValidator(validator));
  return warnings;
}
