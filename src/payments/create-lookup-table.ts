import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import { lookupTableVariable } from '../chain/cluster-settings.ts';
import type { Clusters } from '../chain/clusters.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { EPHEMERAL_TOKEN_PROGRAM, NATIVE_MINT } from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { deriveEata } from '../programs/ephemeral-token/pdas.ts';
import {
  createLookupTable,
  EMPTY_TABLE_BYTES,
  extendLookupTable,
  freezeLookupTable,
  LOOKUP_TABLE_ADDRESSES_MAX,
} from '../programs/lookup-table.ts';
import { SEAL_BYTES } from '../programs/private-transfer/sealed-box.ts';
import { newestSlotHash, RENT_SYSVAR, SLOT_HASHES_SYSVAR } from '../programs/sysvars.ts';
import type { Account, Rent } from '../solana/account.ts';
import { type Address, ADDRESS_BYTES, addressOf } from '../solana/address.ts';
import type { Instruction } from '../solana/instruction.ts';
import { LAMPORTS_PER_SIGNATURE } from '../solana/signature-fee.ts';
import { deriveDelegationAccounts, deriveShuttle } from './accounts/deposit-accounts.ts';
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
import { address, cluster, flag } from './fields/fields.ts';
import { USDT_MINT } from './mints/common-mints.ts';
import { type MintFacts, readMint } from './mints/mint-facts.ts';
import { defineOperation, type OperationResult } from './operation.ts';
import { planPrivateBase } from './transfer/plan.ts';

const NAMED_MAX = 8;

const output = z.object({
  kind: z.literal('createLookupTable').meta({ description: 'What was built.' }),
  lookupTable: z.string().meta({ description: 'The address of the table.' }),
  addresses: z
    .array(z.string())
    .meta({ description: 'The addresses that the table will contain, in this order.' }),
  transactions: z.array(z.object(builtTransactionMembers)).meta({
    description:
      'The unsigned transactions. Sign and send them to the base ledger in this order, each after the previous one is confirmed.',
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
      "The mints that transfers use, 1 to 8. Default: SOL, the cluster's USDC, and USDT on mainnet.",
    ),
    validators: namedList(
      'validator',
      "The validators that transfers go through, 1 to 8. Default: the cluster's own.",
    ),
    freeze: flag(
      'Also freeze the table: no one can then change it, or close it to recover its lamports. Default: false.',
    ).optional(),
    cluster: cluster(clusterNames).optional(),
  });

type Input = z.infer<ReturnType<typeof inputOf>>;
type Output = z.infer<typeof output>;

/**
 * Builds the unsigned transactions that create a lookup table for private transfers from base to base (layout
 * B only). Some options make these transfers too large without a table.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, INVALID_OWNER, INVALID_ARGUMENTS, MINT_NOT_FOUND,
 * UNSUPPORTED_TOKEN_PROGRAM, VALIDATOR_UNRESOLVED, ACCOUNT_UNREADABLE, UPSTREAM_*.
 */
export function createCreateLookupTable({
  clusters,
  sponsor,
}: {
  readonly clusters: Clusters;
  readonly sponsor: Address | null;
}) {
  return defineOperation({
    name: 'createLookupTable',
    title: 'Build a lookup table',
    description:
      'For operators: builds unsigned transactions that create an address lookup table for private transfers from base to base. With the table, gasless transfers with a memo and transfers that create the vault fit into one transaction. Returns transactions as base64, neither signed nor sent. Send them to the base ledger in order.',
    effect: 'build',
    input: inputOf(clusters.names),
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
  });
}

async function readContent(chain: Chain, input: Input, sponsor: Address | null) {
  const [mints, validators] = await Promise.all([
    readTableMints(chain, input.mints),
    input.validators ?? chain.validatorIdentity().then((validator) => [validator]),
  ]);
  return { mints, validators, addresses: tableAddresses(mints, validators, sponsor) };
}

async function buildTable(
  chain: Chain,
  { payer, authority = payer, freeze = false }: Input,
  addresses: readonly Address[],
) {
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
  { mints, validators, addresses }: Awaited<ReturnType<typeof readContent>>,
  { lookupTable, transactions, warnings }: Awaited<ReturnType<typeof buildTable>>,
): OperationResult<Output> {
  const setting = lookupTableVariable(chain.network);
  const notes = [
    `It creates lookup table ${lookupTable} with ${addresses.length} addresses for ${mints.map(({ mint }) => mint).join(', ')} on ${validators.join(', ')}, in ${transactions.length === 1 ? '1 transaction' : `${transactions.length} transactions`}.`,
    setting === undefined
      ? `Cluster ${chain.cluster} has no setting for a lookup table, so transfers cannot use it there.`
      : `Once it exists, set ${setting} to its address and restart the service: spl.transfer then uses it for private transfers from base to base.`,
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
      `Sign each as ${[...new Set([payer, authority])].join(' and ')} and send them to the base ledger in order, each after the previous one is confirmed, and all before block height ${transactions[0]?.lastValidBlockHeight} has passed.`,
      ...warningSentences(warnings),
    ],
  };
}

function requireSlot(slotHashes: Account | null): bigint {
  const slot = newestSlotHash(slotHashes);
  if (slot !== null) return slot;
  throw new ServiceError(
    'ACCOUNT_UNREADABLE',
    `The sysvar ${SLOT_HASHES_SYSVAR}, which contains a recent slot, cannot be read; try again, or ask the operator to check the RPC URLs`,
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

/** Returns the default mints for a table, if the cluster has them. */
export const usualMints = ({ network, defaultMint }: Pick<Chain, 'network' | 'defaultMint'>): Address[] => [
  NATIVE_MINT,
  defaultMint,
  ...(network === 'mainnet' ? [USDT_MINT] : []),
];

/** @throws {ServiceError} MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM, ACCOUNT_UNREADABLE, UPSTREAM_*. */
async function readTableMints(chain: Chain, named: readonly Address[] | undefined): Promise<MintFacts[]> {
  if (named !== undefined) return await Promise.all([...new Set(named)].map((mint) => readMint(chain, mint)));
  const found = await Promise.all(
    usualMints(chain).map((mint) => readMint(chain, mint).catch(nullIfMissing)),
  );
  return found.filter((facts) => facts !== null);
}

function nullIfMissing(error: unknown): null {
  if (isServiceError(error) && error.code === 'MINT_NOT_FOUND') return null;
  throw error;
}

type TableMint = Pick<MintFacts, 'mint' | 'tokenProgram'>;

interface TransferPlace {
  readonly facts: TableMint;
  readonly validator: Address;
  readonly sponsor: Address | null;
}

/**
 * Lists the addresses of a table for transfers of these mints on these validators. Each address is listed
 * once, in a fixed order.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS if there are no addresses, or more than a table can hold.
 */
export function tableAddresses(
  mints: readonly TableMint[],
  validators: readonly Address[],
  sponsor: Address | null,
): Address[] {
  const places = mints.flatMap((facts) => validators.map((validator) => ({ facts, validator, sponsor })));
  const addresses = [...new Set(places.flatMap(transferAddresses))];
  if (addresses.length > 0 && addresses.length <= LOOKUP_TABLE_ADDRESSES_MAX) return addresses;
  throw new ServiceError(
    'INVALID_ARGUMENTS',
    addresses.length === 0
      ? 'mints is required, because this cluster has no default mints: pass the mints to cover'
      : `A table holds ${LOOKUP_TABLE_ADDRESSES_MAX} addresses, but this request needs ${addresses.length}: pass fewer mints or validators, and create more than one table`,
    { field: 'mints' },
  );
}

/** Size of delivery terms, in bytes: two u64 delays and a u32 split. */
const TERMS_BYTES = 20;

/**
 * Lists the accounts that every private base-to-base transfer of a mint on a validator uses and that a table
 * can hold (no called programs or signers). They are the accounts that two senders' transfers with every
 * option have in common.
 */
function transferAddresses(place: TransferPlace): Address[] {
  const [first, second] = [1, 2].map((byte) => accountsOf(planOf(place, wallet(byte))));
  return [...(first as Set<Address>)].filter((key) => second?.has(key) === true);
}

const wallet = (byte: number): Address => addressOf(new Uint8Array(ADDRESS_BYTES).fill(byte));

function planOf({ facts, validator, sponsor }: TransferPlace, from: Address): Instruction[] {
  const { mint, tokenProgram } = facts;
  const eata = deriveEata(from, mint).address;
  const owner = { owner: from, mint, tokenProgram };
  const sponsorAta = sponsor === null ? null : deriveAta(sponsor, mint, tokenProgram).address;
  return planPrivateBase(
    {
      from,
      payer: from,
      mint,
      tokenProgram,
      sourceAta: deriveAta(from, mint, tokenProgram).address,
      amount: 1n,
      checked: null,
      tolls: sponsorAta === null ? [] : [{ account: sponsorAta, amount: 1n }],
      memo: '',
      creates: { vault: true, sourceAta: true },
      wrap: { wrapLamports: 1n, rentTopUpLamports: 1n },
      shuttle: deriveShuttle(owner, 0),
    },
    { owner: from, eata, delegation: deriveDelegationAccounts(eata, EPHEMERAL_TOKEN_PROGRAM) },
    {
      exactOut: true,
      sealed: {
        validator,
        destination: new Uint8Array(ADDRESS_BYTES + SEAL_BYTES),
        terms: new Uint8Array(TERMS_BYTES + SEAL_BYTES),
      },
    },
  );
}

function accountsOf(instructions: readonly Instruction[]): Set<Address> {
  const programs = new Set(instructions.map(({ programId }) => programId));
  const metas = instructions.flatMap(({ accounts }) => accounts);
  const signers = new Set(metas.flatMap((meta) => (meta.signer ? [meta.address] : [])));
  return new Set(metas.map((meta) => meta.address).filter((key) => !programs.has(key) && !signers.has(key)));
}

interface TableSpec {
  readonly payer: Address;
  readonly authority: Address;
  /** A recent slot that the base ledger still accepts. */
  readonly recentSlot: bigint;
  readonly addresses: readonly Address[];
  readonly freezes: boolean;
}

interface TablePlan {
  readonly lookupTable: Address;
  readonly transactions: readonly (readonly Instruction[])[];
  /** Addresses that each transaction adds. The freezing transaction adds none and is left out. */
  readonly parts: readonly (readonly Address[])[];
}

/** Plans the creation with as many addresses as fit, then the remaining addresses, and finally the freeze. */
export function planLookupTable({ payer, authority, recentSlot, addresses, freezes }: TableSpec): TablePlan {
  const { lookupTable, create } = createLookupTable({ authority, payer }, recentSlot);
  const accounts = { lookupTable, authority, payer };
  const transactions: Instruction[][] = [];
  const parts: (readonly Address[])[] = [];
  let left = addresses;
  while (left.length > 0) {
    const head = transactions.length === 0 ? [create] : [];
    const withCount = (count: number) => [...head, extendLookupTable(accounts, left.slice(0, count))];
    let count = 1;
    while (count < left.length && fits(payer, withCount(count + 1))) count++;
    transactions.push(withCount(count));
    parts.push(left.slice(0, count));
    left = left.slice(count);
  }
  if (freezes) transactions.push([freezeLookupTable(accounts)]);
  return { lookupTable, transactions, parts };
}
