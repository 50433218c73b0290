import { z } from 'zod';
import type { Chain, Rollup } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { deriveDelegationRecord } from '../programs/delegation/pdas.ts';
import { deriveEata } from '../programs/ephemeral-token/pdas.ts';
import type { Address } from '../solana/address.ts';
import { readNamedAccounts } from './accounts/token-account.ts';
import { notesMember, notesOf } from './building/built-transaction.ts';
import { requireRollup } from './cluster-support.ts';
import { balanceInput, type BalanceInput, decimalText } from './fields/fields.ts';
import { describeTokens, formatBaseUnits } from './mints/common-mints.ts';
import { type MintFacts, readMint } from './mints/mint-facts.ts';
import { defineOperation } from './operation.ts';
import { type EataStatus, eataStatusOf, recordUnreadable } from './rollup-state/eata-status.ts';
import { readShownBalance, requireToken } from './rollup-state/rollup-balance.ts';

const output = z.object({
  address: z.string().meta({ description: 'The requested wallet.' }),
  mint: z.string().meta({ description: 'The requested mint.' }),
  ata: z.string().meta({
    description: "The wallet's token account of the mint, which the rollup shows at the same address.",
  }),
  location: z.literal('ephemeral').meta({ description: 'Where the balance was read: the rollup.' }),
  balance: decimalText(
    'Base units, as a decimal string; "0" if the wallet has nothing delegated to the rollup.',
  ),
  ...notesMember,
});

/**
 * Reads a wallet's balance of a mint on the rollup with the caller's bearer token. Without a delegation the
 * balance is zero. A balance that cannot be read is an error, never zero.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, MISSING_AUTH_TOKEN, MINT_NOT_FOUND,
 * UNSUPPORTED_TOKEN_PROGRAM, EATA_DELEGATED_ELSEWHERE, VALIDATOR_UNRESOLVED, AUTH_REFUSED,
 * READER_NOT_ALLOWED, TOKEN_ACCOUNT_OWNER_MISMATCH, ACCOUNT_UNREADABLE, UPSTREAM_*.
 */
export function createGetPrivateBalance({ clusters }: { readonly clusters: Clusters }) {
  return defineOperation({
    name: 'getPrivateBalance',
    title: 'Read a private balance',
    description:
      "Reads how many tokens of a mint a wallet has on the rollup, in base units: its deposits and the payments it received there. If the rollup shows them only to their owner (a private deposit, a private cluster), this needs the owner's bearer token in the HTTP Authorization header.",
    effect: 'read',
    input: balanceInput(clusters.names),
    output,
    worksOn: ({ rollup }) => rollup !== null,
    run: async (input, { token }) => {
      const chain = clusters.resolve(input.cluster);
      const rollup = requireRollup('getPrivateBalance', chain, clusters);
      requireToken(chain, token);
      const facts = await readMint(chain, input.mint);
      const status = await readEataStatus(chain, input.address, input.mint);
      const ata = deriveAta(input.address, input.mint, facts.tokenProgram).address;
      // The rollup checks the token on every request: an invalid one is rejected whatever address is read.
      const [shown = null] =
        status.at === 'rollup' || token !== undefined ? await rollup.getAccounts([ata], token) : [];
      if (status.at === 'rollup') await requireOwnRollup(rollup, status.validator, input);
      const expected = { ata, owner: input.address, mint: input.mint, tokenProgram: facts.tokenProgram };
      const balance =
        status.at === 'rollup' ? (await readShownBalance(shown, rollup, expected, token)).amount : 0n;
      const notes = [noteOf(input, balance, status, facts)];
      return {
        output: {
          address: input.address,
          mint: input.mint,
          ata,
          location: 'ephemeral' as const,
          balance: balance.toString(),
          ...notesOf(notes),
        },
        sentences: ['Fetched the private SPL balance.', ...notes],
      };
    },
  });
}

async function readEataStatus(chain: Chain, owner: Address, mint: Address): Promise<EataStatus> {
  const eata = deriveEata(owner, mint).address;
  const accounts = await readNamedAccounts(chain, {
    eata,
    record: deriveDelegationRecord(eata).address,
  });
  const status = eataStatusOf(eata, accounts.eata, accounts.record, chain.layout);
  if (status.at === 'rollup' && status.validator === null) throw recordUnreadable(eata);
  return status;
}

async function requireOwnRollup(
  rollup: Rollup,
  validator: Address | null,
  { address: owner, mint }: BalanceInput,
): Promise<void> {
  const identity = await rollup.identity();
  if (validator === identity) return;
  throw new ServiceError(
    'EATA_DELEGATED_ELSEWHERE',
    `eATA is delegated to a different validator: the tokens of ${owner} are with ${validator}, and this cluster's rollup is run by ${identity}; use a service for that validator`,
    { owner, mint, validator: validator ?? 'unknown', rollup: identity },
  );
}

function noteOf(
  { address: owner, mint }: BalanceInput,
  balance: bigint,
  status: EataStatus,
  { decimals }: MintFacts,
): string {
  const has = `${owner} has ${describeTokens(balance, { mint, decimals })} on the rollup`;
  switch (status.at) {
    case 'rollup':
      return `${has}.`;
    case 'base':
      return `${has}: its ephemeral token account is not delegated and holds ${formatBaseUnits(status.amount, decimals)} on the base ledger, ready to be withdrawn.`;
    case 'nowhere':
      return `${has}: it has not deposited any.`;
  }
}
