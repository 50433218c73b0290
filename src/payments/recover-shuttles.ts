import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { createAtaIdempotent } from '../programs/associated-token.ts';
import { SHUTTLE_TABLE } from '../programs/ephemeral-token/table/shuttle.ts';
import { encode } from '../programs/instruction-table/encode.ts';
import { RENT_SYSVAR } from '../programs/sysvars.ts';
import { ataBytes } from '../programs/token/mint-extensions.ts';
import type { Rent } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { Instruction } from '../solana/instruction.ts';
import { LAMPORTS_PER_SIGNATURE } from '../solana/signature-fee.ts';
import { requireWallet, requireWalletAccount } from './accounts/wallet.ts';
import {
  buildTransaction,
  builtTransactionMembers,
  fits,
  notesMember,
  notesOf,
  type Warning,
  warningSentences,
  warningsMember,
  warningsOf,
} from './building/built-transaction.ts';
import { warnOfTooFewLamports } from './building/warnings.ts';
import { resolveLayoutB } from './cluster-support.ts';
import { requireRent, sumLamports } from './fees/costs.ts';
import { address, cluster, decimalText } from './fields/fields.ts';
import { describeTokens } from './mints/common-mints.ts';
import { defineOperation, type OperationResult } from './operation.ts';
import {
  findShuttles,
  readShuttleStates,
  type RecoverableShuttle,
  type ShuttleState,
} from './recover-shuttles/find.ts';

const NAMED_MAX = 20;

const shuttleView = z.object({
  shuttle: z
    .string()
    .meta({ description: 'The address of its metadata account, which identifies the shuttle.' }),
  owner: z.string().meta({ description: 'The wallet that owns its tokens and receives them.' }),
  mint: z.string().meta({ description: 'The mint of its tokens.' }),
  amount: decimalText(
    'Base units in the shuttle on the base ledger, as a decimal string. If it is delegated, only its rollup has the current amount.',
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
        description: `The shuttles to recover, 1 to ${NAMED_MAX}. Together with mint they replace the search, which an RPC node may reject. Default: the shuttles that the search finds.`,
      }),
    cluster: cluster(clusterNames).optional(),
  });

type Input = z.infer<ReturnType<typeof inputOf>>;
type Output = z.infer<typeof output>;

/**
 * Finds stranded tokens in shuttles, and builds the unsigned transactions that return them to their owners
 * (layout B only). Tokens remain in a shuttle if its rollup undelegates it without merging it.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_OWNER, INVALID_ARGUMENTS, UPSTREAM_*.
 */
export function createRecoverShuttles({ clusters }: { readonly clusters: Clusters }) {
  return defineOperation({
    name: 'recoverShuttles',
    title: 'Recover tokens from shuttles',
    description:
      'Recovers payments that never arrived. Finds tokens in shuttles, the one-way carriers of deposits, withdrawals and private transfers, and reports for each shuttle whether they can be recovered now and why not. Builds unsigned transactions that return them to their owners. The rollup must have returned a shuttle first. Returns transactions as base64, neither signed nor sent; anyone can sign and pay for them.',
    effect: 'build',
    input: inputOf(clusters.names),
    output,
    worksOn: ({ layout }) => layout === 'b',
    run: async (input) => {
      const chain = resolveLayoutB('recoverShuttles', input.cluster, clusters);
      requireWallet(input.payer, 'payer', 'the recovery of shuttles');
      const found = await searchShuttles(chain, input);
      return answerOf(input, found, await buildRecoveries(chain, input.payer, found));
    },
  });
}

type ShuttleSearch = Awaited<ReturnType<typeof searchShuttles>>;

async function searchShuttles(chain: Chain, input: Input) {
  const { found, unexamined } = await findShuttles(chain, input);
  const states = await readShuttleStates(chain, found);
  const isNamed = input.owner !== undefined || input.shuttles !== undefined;
  const [sysvar = null] = await chain.getAccounts([RENT_SYSVAR]);
  const rent = requireRent(sysvar);
  return { states: isNamed ? states : skipCostlyRecoveries(rent, states, input.payer), unexamined, rent };
}

async function buildRecoveries(chain: Chain, payer: Address, { states, unexamined, rent }: ShuttleSearch) {
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
  return { transactions, left: ready.length - taken.length + unexamined, taken, warnings };
}

function answerOf(
  { payer, shuttles }: Input,
  { states, rent }: ShuttleSearch,
  { transactions, left, taken, warnings }: Awaited<ReturnType<typeof buildRecoveries>>,
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
      `Built ${counted(transactions.length, 'unsigned transaction')} that ${transactions.length === 1 ? 'recovers' : 'recover'} tokens from shuttles.`,
      ...notes,
      `Sign each as ${payer} and send it to the base ledger before block height ${first.lastValidBlockHeight} has passed.`,
      ...warningSentences(warnings),
    ],
  };
}

const counted = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;

const SEARCH_UNPROVEN = 'Other shuttles may exist: nothing proves that an RPC node returned all of them.';

const describeRemaining = (left: number): string =>
  `${counted(left, 'shuttle')} ${left === 1 ? 'remains' : 'remain'}: at most ${TRANSACTIONS_MAX} transactions are built at once, and a search without mint examines few shuttles. Run this again with owner and mint once these have landed.`;

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
  return `${counted(states.length, 'shuttle')} found; ${ready.length} can be recovered now${what}.`;
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

/** Warns if the payer cannot pay for signatures and missing token accounts. */
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

/** A shuttle to recover. */
export interface Recovery {
  readonly accounts: RecoverableShuttle;
  readonly createsOwnerAta: boolean;
}

interface RecoveryPlan {
  readonly instructions: readonly Instruction[];
  readonly recoveries: readonly Recovery[];
}

/** Maximum number of transactions built at once. They all expire with the same blockhash. */
const TRANSACTIONS_MAX = 4;

/** Plans up to {@link TRANSACTIONS_MAX} transactions, each with as many shuttles as fit. */
function planRecoveries(payer: Address, recoveries: readonly Recovery[]): RecoveryPlan[] {
  const plans: RecoveryPlan[] = [];
  let left = recoveries;
  while (left.length > 0 && plans.length < TRANSACTIONS_MAX) {
    let count = 1;
    while (count < left.length && fits(payer, recoveryInstructions(payer, left.slice(0, count + 1)))) count++;
    const taken = left.slice(0, count);
    plans.push({ instructions: recoveryInstructions(payer, taken), recoveries: taken });
    left = left.slice(count);
  }
  return plans;
}

/** Builds the instructions for each shuttle: create the owner's ATA, once per ATA, and move the tokens. */
export function recoveryInstructions(payer: Address, recoveries: readonly Recovery[]): Instruction[] {
  const created = new Set<Address>();
  return recoveries.flatMap(({ accounts, createsOwnerAta }) => {
    const { owner, ownerAta, mint, tokenProgram, shuttle, eata, walletAta } = accounts;
    const recover = encode(SHUTTLE_TABLE.recoverShuttle, {
      ...accounts,
      shuttle: { metadata: shuttle, eata, walletAta },
      destinationAta: ownerAta,
      vault: accounts.vault.address,
    });
    if (!createsOwnerAta || created.has(ownerAta)) return [recover];
    created.add(ownerAta);
    return [createAtaIdempotent({ payer, ata: ownerAta, owner, mint, tokenProgram }), recover];
  });
}

/** A token account that the payer creates, once for all of its owner's shuttles of a mint. */
interface CreatedAta {
  readonly owner: Address;
  readonly tokenProgram: Address;
}

const createdAtas = (recoveries: readonly Recovery[]): readonly CreatedAta[] => [
  ...new Map(
    recoveries
      .filter(({ createsOwnerAta }) => createsOwnerAta)
      .map(({ accounts }) => [accounts.ownerAta, accounts]),
  ).values(),
];

/** Computes the maximum rent of these accounts, in lamports, at the largest size that a mint can require. */
const lamportsOf = (rent: Rent, opened: readonly CreatedAta[], ...others: readonly bigint[]): bigint =>
  sumLamports(
    rent,
    opened.map(({ tokenProgram }) => ataBytes(tokenProgram, null)),
    ...others,
  );

/**
 * Skips shuttles that require the payer to buy a token account for another owner. Otherwise anyone could
 * strand an almost empty shuttle, close the account afterwards and keep its lamports.
 */
const skipCostlyRecoveries = (rent: Rent, states: readonly ShuttleState[], payer: Address): ShuttleState[] =>
  states.map((state) => {
    const { owner, recovery } = state;
    if (recovery?.createsOwnerAta !== true || owner === payer) return state;
    const { ownerAta } = recovery.accounts;
    const price = lamportsOf(rent, [recovery.accounts]);
    const why = `Its owner has no token account ${ownerAta}: payer would open it for up to ${price} lamports, which become the owner's. Pass owner or shuttles to do that.`;
    return { ...state, recovery: null, why };
  });

/** Describes in a sentence what the payer spends on others; null if it spends nothing. */
function describeGift(rent: Rent, recoveries: readonly Recovery[], payer: Address): string | null {
  const opened = createdAtas(recoveries).filter(({ owner }) => owner !== payer);
  if (opened.length === 0) return null;
  const what =
    opened.length === 1 ? '1 token account for another owner' : `${opened.length} token accounts for others`;
  return `The payer creates ${what}: up to ${lamportsOf(rent, opened)} lamports, which then belong to them.`;
}
