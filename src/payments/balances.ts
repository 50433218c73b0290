import { z } from 'zod';
import type { Chain, Rollup } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { deriveDelegationRecord } from '../programs/delegation/pdas.ts';
import { deriveEata } from '../programs/ephemeral-token/pdas.ts';
import type { Address } from '../solana/address.ts';
import { forReading, readNamedAccounts, readTokenAccount } from './accounts/token-account.ts';
import { notesMember, notesOf } from './building/built-transaction.ts';
import { notesOfMint } from './building/warnings.ts';
import { requireRollup } from './cluster-support.ts';
import { address, cluster, decimalText } from './fields/fields.ts';
import { describeTokens, formatBaseUnits } from './mints/common-mints.ts';
import { type MintFacts, readMint } from './mints/mint-facts.ts';
import { readMintTerms } from './mints/mint-terms.ts';
import { defineOperation } from './operation.ts';
import { type EataStatus, eataStatusOf, recordUnreadable } from './rollup-state/eata-status.ts';
import { readShownBalance, requireToken } from './rollup-state/rollup-balance.ts';

const balanceInput = (clusterNames: readonly string[]) =>
  z.strictObject({
    address: address('The wallet whose balance is read.'),
    mint: address('The mint of the tokens.'),
    cluster: cluster(clusterNames).optional(),
  });

type BalanceInput = z.infer<ReturnType<typeof balanceInput>>;

const presentBalance = <Place extends 'base' | 'ephemeral'>(
  title: string,
  { address: wallet, mint }: BalanceInput,
  found: { readonly ata: Address; readonly location: Place; readonly balance: bigint },
  notes: readonly string[],
) => ({
  output: { address: wallet, mint, ...found, balance: found.balance.toString(), ...notesOf(notes) },
  sentences: [title, ...notes],
});

/**
 * Reads the balance of a wallet's ATA on base; zero if the account is missing. An account that cannot be read
 * or belongs to someone else is an error, never zero.
 *
 * Errors: CLUSTER_NOT_ALLOWED, MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM, TOKEN_ACCOUNT_OWNER_MISMATCH,
 * ACCOUNT_UNREADABLE.
 */
export function createGetBalance(clusters: Clusters) {
  return defineOperation({
    name: 'getBalance',
    title: 'Read a base balance',
    description:
      "Reads how many tokens of a mint a wallet's associated token account holds on the base ledger, in base units. Tokens deposited into the rollup are not included.",
    effect: 'read',
    input: balanceInput(clusters.names),
    output: z.object({
      address: z.string().meta({ description: 'The requested wallet.' }),
      mint: z.string().meta({ description: 'The requested mint.' }),
      ata: z.string().meta({ description: "The wallet's associated token account of the mint." }),
      location: z.literal('base').meta({ description: 'Where the balance was read: the base ledger.' }),
      balance: decimalText(
        'Base units in the token account, as a decimal string; "0" if the account does not exist.',
      ),
      ...notesMember,
    }),
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
      return presentBalance(
        'Fetched the base SPL balance.',
        input,
        { ata, location: 'base', balance },
        notes,
      );
    },
  });
}

/**
 * Reads a wallet's balance of a mint on the rollup with the caller's bearer token; zero without a delegation.
 * A balance that cannot be read is an error, never zero.
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
      "Reads how many tokens of a mint a wallet has on the rollup, in base units: its deposits and the payments it received there. If the rollup shows them only to their owner (a private deposit, a private cluster), this needs the owner's bearer token in the HTTP header Rollup-Authorization.",
    effect: 'read',
    input: balanceInput(clusters.names),
    output: z.object({
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
    }),
    worksOn: ({ rollup }) => rollup !== null,
    run: async (input, { token }) => {
      const chain = clusters.resolve(input.cluster);
      const rollup = requireRollup('getPrivateBalance', chain, clusters);
      requireToken(chain, token);
      const facts = await readMint(chain, input.mint);
      const status = await readEataStatus(chain, input.address, input.mint);
      const ata = deriveAta(input.address, input.mint, facts.tokenProgram).address;
      // The rollup checks the token on every request, so an invalid token is rejected for any address.
      const [shown = null] =
        status.at === 'rollup' || token !== undefined ? await rollup.getAccounts([ata], token) : [];
      if (status.at === 'rollup') await requireOwnRollup(rollup, status.validator, input);
      const expected = { ata, owner: input.address, mint: input.mint, tokenProgram: facts.tokenProgram };
      const balance =
        status.at === 'rollup' ? (await readShownBalance(shown, rollup, expected, token)).amount : 0n;
      const notes = [noteOf(input, balance, status, facts)];
      const found = { ata, location: 'ephemeral', balance } as const;
      return presentBalance('Fetched the private SPL balance.', input, found, notes);
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
    `eATA is delegated to a different validator: the tokens of ${owner} are with ${validator}, but ${identity} runs this cluster's rollup; use a cluster whose rollup ${validator} runs`,
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
