import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import { lookupTableVariable } from '../chain/cluster-settings.ts';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { EMPTY_TABLE_BYTES } from '../programs/lookup-table.ts';
import { newestSlotHash, RENT_SYSVAR, SLOT_HASHES_SYSVAR } from '../programs/sysvars.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { Rent } from '../solana/rent.ts';
import { LAMPORTS_PER_SIGNATURE } from '../solana/signature-fee.ts';
import { requireWallet, requireWalletAccount } from './accounts/wallet.ts';
import { buildTransaction, builtTransactionMembers, type Warning } from './building/built-transaction.ts';
import { notesMember, notesOf, warningSentences, warningsMember, warningsOf } from './building/draft.ts';
import { warnOfTooFewLamports } from './building/warnings.ts';
import { resolveLayoutB } from './cluster-support.ts';
import { requireRent, sumLamports } from './fees/costs.ts';
import { address, cluster, flag } from './fields/fields.ts';
import { planLookupTable, readTableMints, tableAddresses } from './lookup-table/plan.ts';
import type { MintFacts } from './mints/mint-facts.ts';
import type { Operation, OperationResult } from './operation.ts';

/** Mints and validators that one request may name. */
const NAMED_MAX = 8;

const output = z.object({
  kind: z.literal('createLookupTable').meta({ description: 'What was built.' }),
  lookupTable: z.string().meta({ description: 'The address of the table.' }),
  addresses: z
    .array(z.string())
    .meta({ description: 'The addresses that the table will contain, in this order.' }),
  transactions: z.array(z.object(builtTransactionMembers)).meta({
    description:
      'The unsigned transactions, each to be signed and sent to the base ledger in this order, the next when the one before is confirmed.',
  }),
  setting: z.string().optional().meta({
    description:
      'The environment variable of this service that names the table for private transfers; absent if the cluster has none.',
  }),
  ...notesMember,
  ...warningsMember,
});

const namedList = (what: string, description: string) =>
  z
    .array(address(`A ${what}.`), { error: 'must be a list of base58 Solana addresses' })
    .min(1, { error: `must name 1 to ${NAMED_MAX}` })
    .max(NAMED_MAX, { error: `must name 1 to ${NAMED_MAX}` })
    .optional()
    .meta({ description });

const inputOf = (clusterNames: readonly string[]) =>
  z.strictObject({
    payer: address('The wallet that pays for the table. It signs.'),
    authority: address('The wallet that may change the table. It signs. Default: payer.').optional(),
    mints: namedList(
      'mint',
      "The mints that are paid with, 1 to 8. Default: SOL, the cluster's USDC, and USDT on mainnet.",
    ),
    validators: namedList(
      'validator',
      "The validators that transfers go through, 1 to 8. Default: the cluster's own.",
    ),
    freeze: flag(
      'Also freeze the table: no one can change it any longer, or close it to recover its lamports. Default: false.',
    ).optional(),
    cluster: cluster(clusterNames).optional(),
  });

type Input = z.infer<ReturnType<typeof inputOf>>;
type Output = z.infer<typeof output>;

/**
 * Builds the unsigned transactions that make a lookup table for private transfers from base to base, which
 * are too large for some options without one; layout B.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_OWNER, INVALID_ARGUMENTS, MINT_NOT_FOUND,
 * UNSUPPORTED_TOKEN_PROGRAM, VALIDATOR_UNRESOLVED, ACCOUNT_UNREADABLE, UPSTREAM_*.
 */
export function createCreateLookupTable({
  clusters,
  sponsor,
}: {
  readonly clusters: Clusters;
  /** The payer of gasless transfers; null if there is none. */
  readonly sponsor: Address | null;
}): Operation<Input, Output> {
  return {
    name: 'createLookupTable',
    title: 'Build a lookup table',
    description:
      'For operators: builds unsigned transactions that make an address lookup table for private transfers from base to base, with which gasless transfers with a memo, and those that create the vault, fit into a transaction. Returns transactions as base64, neither signed nor sent; they are sent to the base ledger one after the other.',
    effect: 'build',
    input: inputOf(clusters.names) as z.ZodType<Input>,
    output,
    worksOn: ({ layout }) => layout === 'b',
    run: async (input) => {
      const chain = resolveLayoutB('createLookupTable', input.cluster, clusters);
      const { payer, authority = payer } = input;
      requireWallet(payer, 'payer', 'the creation of a lookup table');
      if (authority !== payer) requireWallet(authority, 'authority', 'the creation of a lookup table');
      const content = await readContent(chain, input, sponsor);
      return answerOf(chain, input, content, await buildTable(chain, input, content.addresses));
    },
  };
}

/** The contents of a table, and the payments they are for. */
interface TableContent {
  readonly mints: readonly MintFacts[];
  readonly validators: readonly Address[];
  readonly addresses: readonly Address[];
}

async function readContent(chain: Chain, input: Input, sponsor: Address | null): Promise<TableContent> {
  const [mints, validators] = await Promise.all([
    readTableMints(chain, input.mints),
    input.validators ?? chain.validatorIdentity().then((validator) => [validator]),
  ]);
  return { mints, validators, addresses: tableAddresses(mints, validators, sponsor) };
}

/** The transactions that create a table, and what its payer lacks. */
interface BuiltTable extends Pick<Output, 'lookupTable' | 'transactions'> {
  readonly warnings: readonly Warning[];
}

async function buildTable(
  chain: Chain,
  { payer, authority = payer, freeze = false }: Input,
  addresses: readonly Address[],
): Promise<BuiltTable> {
  const [wallet = null, slotHashes = null, rent = null] = await chain.getAccounts([
    payer,
    SLOT_HASHES_SYSVAR,
    RENT_SYSVAR,
  ]);
  requireWalletAccount(payer, 'payer', wallet);
  const recentSlot = requireSlot(slotHashes);
  const plan = planLookupTable({ payer, authority, recentSlot, addresses, freezes: freeze });
  const transactions = await Promise.all(
    plan.transactions.map((instructions) => buildTransaction(chain, payer, instructions)),
  );
  const signatures = transactions.reduce((sum, { requiredSigners }) => sum + requiredSigners.length, 0);
  const warnings = warnOfPayer(requireRent(rent), wallet, addresses.length, BigInt(signatures));
  return { lookupTable: plan.lookupTable, transactions, warnings };
}

function answerOf(
  chain: Chain,
  { payer, authority = payer, freeze = false }: Input,
  { mints, validators, addresses }: TableContent,
  { lookupTable, transactions, warnings }: BuiltTable,
): OperationResult<Output> {
  const setting = lookupTableVariable(chain.network);
  const notes = [
    `It makes lookup table ${lookupTable} with ${addresses.length} addresses for ${mints.map(({ mint }) => mint).join(', ')} on ${validators.join(', ')}, in ${transactions.length === 1 ? '1 transaction' : `${transactions.length} transactions`}.`,
    setting === undefined
      ? `Cluster ${chain.cluster} has no setting for a lookup table, so transfers cannot use it there.`
      : `Once it is made, set ${setting} to it and start the service again: spl.transfer then uses it for private transfers from base to base.`,
    ...(freeze
      ? ['Freezing cannot be undone. Check the contents of the table before you send the last transaction.']
      : []),
  ];
  return {
    output: {
      kind: 'createLookupTable',
      lookupTable,
      addresses: [...addresses],
      transactions,
      ...(setting === undefined ? {} : { setting }),
      ...notesOf(notes),
      ...warningsOf(warnings),
    },
    sentences: [
      'Built unsigned transactions for a lookup table.',
      ...notes,
      `Sign each as ${[...new Set([payer, authority])].join(' and ')} and send it to the base ledger, the next when the one before is confirmed, all before block height ${transactions[0]?.lastValidBlockHeight} has passed.`,
      ...warningSentences(warnings),
    ],
  };
}

function requireSlot(slotHashes: Account | null): bigint {
  const slot = newestSlotHash(slotHashes);
  if (slot !== null) return slot;
  throw new ServiceError(
    'ACCOUNT_UNREADABLE',
    `The sysvar ${SLOT_HASHES_SYSVAR}, which contains a recent slot, cannot be read`,
    { account: SLOT_HASHES_SYSVAR },
  );
}

function warnOfPayer(
  rent: Rent,
  wallet: Account | null,
  addressCount: number,
  signatures: bigint,
): Warning[] {
  const held = wallet?.lamports ?? 0n;
  const needed = sumLamports(
    rent,
    [EMPTY_TABLE_BYTES + 32 * addressCount],
    LAMPORTS_PER_SIGNATURE * signatures,
  );
  return held < needed ? [warnOfTooFewLamports('lookup table', { who: 'payer', held, needed })] : [];
}
