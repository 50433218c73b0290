import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { RENT_SYSVAR } from '../programs/sysvars.ts';
import type { Address } from '../solana/address.ts';
import type { Rent } from '../solana/rent.ts';
import { LAMPORTS_PER_SIGNATURE } from '../solana/signature-fee.ts';
import { requireWallet, requireWalletAccount } from './accounts/wallet.ts';
import { buildTransaction, builtTransactionMembers, type Warning } from './building/built-transaction.ts';
import { notesMember, notesOf, warningSentences, warningsMember, warningsOf } from './building/draft.ts';
import { warnOfTooFewLamports } from './building/warnings.ts';
import { resolveLayoutB } from './cluster-support.ts';
import { requireRent } from './fees/costs.ts';
import { address, cluster, decimalText } from './fields/fields.ts';
import { describeTokens } from './mints/common-mints.ts';
import type { Operation, OperationResult } from './operation.ts';
import { findShuttles } from './recover-shuttles/find.ts';
import { readShuttleStates, type ShuttleState } from './recover-shuttles/state.ts';
import {
  createdAtas,
  describeGift,
  lamportsOf,
  planRecoveries,
  type Recovery,
  skipCostlyRecoveries,
  TRANSACTIONS_MAX,
} from './recover-shuttles/plan.ts';

/** Shuttles that one request may name. */
const NAMED_MAX = 20;

const shuttleView = z.object({
  shuttle: z.string().meta({ description: 'Its address: that of its metadata account.' }),
  owner: z.string().meta({ description: 'The wallet that owns its tokens and receives them.' }),
  mint: z.string().meta({ description: 'The mint of its tokens.' }),
  amount: decimalText(
    'Base units in it on the base ledger, as a decimal string. If it is delegated, only its rollup has the current amount.',
  ),
  payer: z.string().meta({ description: 'The account that receives its rent when it is closed.' }),
  delegatedTo: z
    .string()
    .optional()
    .meta({ description: 'The validator it is delegated to; absent if it is not delegated.' }),
  recoverable: z.boolean().meta({ description: 'Whether its tokens can be recovered now.' }),
  why: z.string().optional().meta({ description: 'Why not; absent if they can.' }),
});

const transaction = z.object({
  ...builtTransactionMembers,
  shuttles: z.array(z.string()).meta({ description: 'The shuttles it empties and closes.' }),
});

const output = z.object({
  kind: z.literal('recoverShuttles').meta({ description: 'What was built.' }),
  shuttles: z
    .array(shuttleView)
    .meta({ description: 'Every shuttle that was found with something in it, or that is delegated.' }),
  transactions: z.array(transaction).meta({
    description:
      'The unsigned transactions, each to be signed by the payer and sent to the base ledger, in any order. Empty when nothing can be recovered now.',
  }),
  left: z.int().min(0).meta({
    description:
      'Recoverable shuttles that are in none of the transactions, and shuttles that were not examined. Run this again once these transactions have landed.',
  }),
  ...notesMember,
  ...warningsMember,
});

const inputOf = (clusterNames: readonly string[]) =>
  z.strictObject({
    payer: address('The wallet that pays the fees. It signs; anyone can pay.'),
    owner: address(
      'Search for the shuttles of this wallet. Default: all wallets. Shuttles of other owners without a token account are listed but not recovered, because the payer would pay for that account.',
    ).optional(),
    mint: address(
      'Search for the shuttles of this mint. Default: any. Naming it narrows the search.',
    ).optional(),
    shuttles: z
      .array(address('A shuttle.'), { error: 'must be a list of base58 Solana addresses' })
      .min(1, { error: `must name 1 to ${NAMED_MAX} shuttles` })
      .max(NAMED_MAX, { error: `must name 1 to ${NAMED_MAX} shuttles` })
      .refine((all) => new Set(all).size === all.length, { error: 'must not name a shuttle twice' })
      .optional()
      .meta({
        description: `The shuttles themselves, 1 to ${NAMED_MAX}: with mint, nothing is searched for, because an RPC node may reject the search. Default: those that are found.`,
      }),
    cluster: cluster(clusterNames).optional(),
  });

type Input = z.infer<ReturnType<typeof inputOf>>;
type Output = z.infer<typeof output>;

/**
 * Finds tokens in shuttles, which carry them between base and rollup, and builds the unsigned transactions
 * that return them to their owners; layout B. Tokens remain in a shuttle if its rollup undelegates it without
 * merging it.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_OWNER, INVALID_ARGUMENTS, UPSTREAM_*.
 */
export function createRecoverShuttles({
  clusters,
}: {
  readonly clusters: Clusters;
}): Operation<Input, Output> {
  return {
    name: 'recoverShuttles',
    title: 'Recover tokens from shuttles',
    description:
      'Finds tokens in shuttles, the one-way carriers of deposits, withdrawals and private transfers, reports for each whether they can be recovered now and why not, and builds unsigned transactions that return them to their owners. For payments that never arrived. The rollup must have returned a shuttle first. Returns transactions as base64, neither signed nor sent; anyone can sign and pay for them.',
    effect: 'build',
    input: inputOf(clusters.names) as z.ZodType<Input>,
    output,
    worksOn: ({ layout }) => layout === 'b',
    run: async (input) => {
      const chain = resolveLayoutB('recoverShuttles', input.cluster, clusters);
      requireWallet(input.payer, 'payer', 'the recovery of shuttles');
      const looked = await searchShuttles(chain, input);
      return answerOf(input, looked, await buildRecoveries(chain, input.payer, looked));
    },
  };
}

/** The shuttles found, and the number of shuttles that were not examined. */
interface ShuttleSearch {
  readonly states: readonly ShuttleState[];
  readonly notLookedAt: number;
  readonly rent: Rent;
}

async function searchShuttles(chain: Chain, input: Input): Promise<ShuttleSearch> {
  const { found, notLookedAt } = await findShuttles(chain, input);
  const states = await readShuttleStates(chain, found);
  const isAskedFor = input.owner !== undefined || input.shuttles !== undefined;
  const [sysvar = null] = await chain.getAccounts([RENT_SYSVAR]);
  const rent = requireRent(sysvar);
  return { states: isAskedFor ? states : skipCostlyRecoveries(rent, states, input.payer), notLookedAt, rent };
}

/** The transactions that recover shuttles, and the remarks on them. */
interface BuiltRecoveries extends Pick<Output, 'transactions' | 'left'> {
  readonly taken: readonly Recovery[];
  readonly warnings: readonly Warning[];
}

async function buildRecoveries(
  chain: Chain,
  payer: Address,
  { states, notLookedAt, rent }: ShuttleSearch,
): Promise<BuiltRecoveries> {
  const ready = states.flatMap(({ recovery }) => recovery ?? []);
  const plans = planRecoveries(payer, ready);
  const transactions = await Promise.all(
    plans.map(async ({ instructions, recoveries }) => ({
      ...(await buildTransaction(chain, payer, instructions)),
      shuttles: recoveries.map(({ accounts }) => accounts.shuttle as string),
    })),
  );
  const taken = plans.flatMap(({ recoveries }) => recoveries);
  const warnings = await warnOfPayer(chain, rent, payer, { recoveries: taken, signatures: plans.length });
  return { transactions, left: ready.length - taken.length + notLookedAt, taken, warnings };
}

function answerOf(
  { payer, shuttles }: Input,
  { states, rent }: ShuttleSearch,
  { transactions, left, taken, warnings }: BuiltRecoveries,
): OperationResult<Output> {
  const gift = describeGift(rent, taken, payer);
  const notes = [
    summarize(states),
    ...(gift === null ? [] : [gift]),
    ...(left > 0 ? [describeRemaining(left)] : []),
    ...(shuttles ? [] : [SEARCH_UNPROVEN]),
  ];
  const answer: Output = {
    kind: 'recoverShuttles',
    shuttles: states.map(viewOf),
    transactions,
    left,
    ...notesOf(notes),
    ...warningsOf(warnings),
  };
  const [first] = transactions;
  if (first === undefined) return { output: answer, sentences: ['Looked for tokens in shuttles.', ...notes] };
  return {
    output: answer,
    sentences: [
      `Built ${count(transactions.length, 'unsigned transaction')} that ${transactions.length === 1 ? 'recovers' : 'recover'} tokens from shuttles.`,
      ...notes,
      `Sign each as ${payer} and send it to the base ledger before block height ${first.lastValidBlockHeight} has passed.`,
      ...warningSentences(warnings),
    ],
  };
}

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;

const SEARCH_UNPROVEN = 'Other shuttles may exist: nothing proves that an RPC node returned all of them.';

const describeRemaining = (left: number): string =>
  `${count(left, 'shuttle')} more ${left === 1 ? 'is' : 'are'} left: up to ${TRANSACTIONS_MAX} transactions are built at once, and a search without mint examines few shuttles. Run this again with owner and mint once these have landed.`;

function summarize(states: readonly ShuttleState[]): string {
  if (states.length === 0) return 'No shuttle with tokens was found.';
  const ready = states.filter(({ recovery }) => recovery !== null);
  const sums = new Map<string, string>();
  for (const { mint, facts } of ready) {
    if (facts === null || sums.has(mint)) continue;
    const amount = ready.reduce((sum, one) => (one.mint === mint ? sum + one.amount : sum), 0n);
    sums.set(mint, describeTokens(amount, facts));
  }
  const what = sums.size === 0 ? '' : `: ${[...sums.values()].join(', ')}`;
  return `${count(states.length, 'shuttle')} found; ${ready.length} can be recovered now${what}.`;
}

const viewOf = ({
  shuttle,
  owner,
  mint,
  amount,
  rentRefund,
  delegatedTo,
  recovery,
  why,
}: ShuttleState): Output['shuttles'][number] => ({
  shuttle,
  owner,
  mint,
  amount: amount.toString(),
  payer: rentRefund,
  ...(delegatedTo === null ? {} : { delegatedTo }),
  recoverable: recovery !== null,
  ...(why === null ? {} : { why }),
});

/** The payer pays signatures and the token accounts that are missing. */
async function warnOfPayer(
  chain: Chain,
  rent: Rent,
  payer: Address,
  { recoveries, signatures }: { readonly recoveries: readonly Recovery[]; readonly signatures: number },
): Promise<Warning[]> {
  if (recoveries.length === 0) return [];
  const [account = null] = await chain.getAccounts([payer]);
  requireWalletAccount(payer, 'payer', account);
  const held = account?.lamports ?? 0n;
  const needed = lamportsOf(rent, createdAtas(recoveries), LAMPORTS_PER_SIGNATURE * BigInt(signatures));
  return held < needed ? [warnOfTooFewLamports('recovery', { who: 'payer', held, needed })] : [];
}
