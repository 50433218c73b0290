import { z } from 'zod';
import { decimalText } from '../../fields/fields.ts';
import { simulationSummary } from '../../simulation/with-simulation.ts';
import { CHECKED_OPERATIONS } from '../request/check-request.ts';

const text = (description: string) => z.string().meta({ description });
const textOrNull = (description: string) => z.string().nullable().meta({ description });
const decimalOrNull = (description: string) => decimalText().nullable().meta({ description });
const flag = (description: string) => z.boolean().meta({ description });
const listOf = <S extends z.ZodRawShape>(description: string, shape: S) =>
  z.array(z.object(shape)).meta({ description });

const instruction = z.object({
  index: z.int().min(0).meta({ description: 'Position in the transaction, from 0.' }),
  programId: text('The program that is called.'),
  program: text('The name of the program; "unknown" if payments do not use it.'),
  action: text('Stable name of the instruction; "unknown" if it is not recognized.'),
  known: flag('Whether program and instruction are known.'),
  text: text('What it does, in words.'),
  accounts: listOf('The accounts in order.', {
    role: text('The role of the account in the instruction.'),
    address: text('The account; "table[index]" if its lookup table could not be read.'),
    signer: z.boolean(),
    writable: z.boolean(),
  }),
  fields: listOf('The fields of the instruction data.', {
    name: text('Name of the field.'),
    value: text('Its value; bytes as hex.'),
  }),
});

const tokenChange = z.object({
  owner: textOrNull('The owner of the tokens; null if the bytes do not show it.'),
  account: textOrNull('The token account; null if there is none, or several.'),
  mint: textOrNull('The mint; null if the bytes do not show it.'),
  symbol: textOrNull('The common symbol of the mint.'),
  location: z
    .enum(['base', 'ephemeral'])
    .meta({ description: 'Base ledger, or private balance on the rollup.' }),
  held: z.enum(['vault', 'sealed', 'queue', 'eata']).nullable().meta({
    description:
      'vault: backs private balances; sealed: the recipient is encrypted; queue: is paid out later; eata: in the ephemeral token account on base, and not on the rollup.',
  }),
  change: decimalOrNull('Base units, negative when they leave; null when only the chain knows.'),
  figure: textOrNull('The same in whole tokens; null if the decimals are unknown.'),
  uiFigure: textOrNull(
    "The amount that wallets show instead, at the node's current time, if the mint multiplies amounts or accrues interest; null otherwise. Limits are in base units.",
  ),
});

const effects = z.object({
  tokens: z.array(tokenChange).meta({ description: 'Tokens that leave and enter each owner.' }),
  lamports: listOf('Lamports that instructions move, without rent and network fee.', {
    address: text('The account.'),
    change: decimalText('Lamports, negative when they leave.'),
  }),
  accountsCreated: listOf('Accounts that are created.', {
    address: text('The account.'),
    what: text('What it is.'),
    payer: text('The account that pays its lamports.'),
    lamports: decimalOrNull("Its lamports; null if the cluster's rent was not read."),
    onlyIfMissing: flag('Whether nothing is paid if it already exists.'),
    exists: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether it already exists; null if no chain was read.' }),
  }),
  rentLamportsMax: decimalOrNull(
    "Maximum lamports for creating accounts, without those that already exist. Null if the cluster's rent was not read.",
  ),
  networkFeeLamportsMax: decimalOrNull(
    'Maximum network fee of the fee payer, in lamports; null on a rollup.',
  ),
});

const wallet = z.object({
  address: text('The wallet.'),
  signs: flag('Whether it signs.'),
  tokens: z.array(tokenChange).meta({ description: 'Its tokens that leave or enter it.' }),
  lamportsMin: decimalOrNull(
    'The minimum change of its lamports, with rent and network fee at their maximum: negative if they leave. Lamports that its signature takes out of other accounts count as leaving it. SOL that it wraps or unwraps stays its own, and payments of wrapped SOL count as tokens. Null if it pays a rent that was not read.',
  ),
});

const request = z.object({
  operation: z.enum(CHECKED_OPERATIONS).meta({ description: 'The requested operation.' }),
  satisfied: z.enum(['yes', 'no', 'unverifiable']).meta({
    description:
      'Whether the transaction matches the request; unverifiable if nothing differs, but a part is sealed or could not be read from the chain.',
  }),
  claims: listOf('A verdict on each requirement of the request.', {
    name: text('The name of the requirement.'),
    verdict: z.enum(['ok', 'differs', 'unverifiable']),
    message: text('In words.'),
  }),
  differences: listOf('Every difference between the transaction and the request.', {
    instruction: z.int().min(0).optional(),
    part: text('Which account, field or property.'),
    expected: text('The expected value.'),
    found: text('What it is.'),
  }),
});

/** The result of `explainTransaction`. */
export const explanation = z.object({
  verdict: z.enum(['danger', 'caution', 'clear']).meta({
    description:
      'danger: do not sign unless you know why; caution: look at the findings; clear: everything in it is known, the ledger confirms the owners, and a simulation matches the instructions. Never clear without a ledger.',
  }),
  version: z.enum(['legacy', 'v0', 'v1']).meta({ description: 'Form of the transaction.' }),
  config: z
    .object({
      priorityFeeLamports: textOrNull('The total priority fee, in lamports.'),
      computeUnitLimit: z.int().nullable().meta({ description: 'Compute unit limit; null means 0.' }),
      loadedAccountsDataSizeLimit: z
        .int()
        .nullable()
        .meta({ description: 'Limit of loaded account data, in bytes; null means 0.' }),
      heapSize: z
        .int()
        .nullable()
        .meta({ description: 'Heap size, in bytes; null means the default of 32,768.' }),
    })
    .optional()
    .meta({ description: 'The config of a version 1 transaction; absent for other versions.' }),
  size: z.int().min(0).meta({ description: 'Bytes.' }),
  cluster: text('The cluster it was explained for.'),
  sendTo: z.enum(['base', 'ephemeral']).meta({ description: 'The ledger it was explained for.' }),
  recentBlockhash: text('The blockhash it is built on, base58.'),
  feePayer: text('The account that pays the network fee.'),
  signers: listOf('The required signers, in the order of the signatures.', {
    address: text('The required signer.'),
    signature: z
      .enum(['valid', 'missing', 'wrong'])
      .meta({ description: 'The result of verifying it against the message.' }),
  }),
  fullySigned: flag('Whether every signature is present and valid.'),
  lookupTables: listOf('Lookup tables that accounts are named through.', {
    address: text('The table.'),
    read: flag('Whether its contents are known.'),
  }),
  wallet: wallet
    .optional()
    .meta({ description: 'The effects on the wallet in the request; absent without one.' }),
  instructions: z.array(instruction).meta({ description: 'Every instruction.' }),
  effects: effects.meta({
    description: 'The combined effects of all instructions if the transaction succeeds.',
  }),
  findings: listOf('Facts that a signer should know.', {
    level: z.enum(['danger', 'caution', 'note']),
    code: text('Stable name.'),
    message: text('In words.'),
    instruction: z.int().min(0).optional(),
  }),
  request: request.optional().meta({ description: 'Present if a request was passed.' }),
  chainRead: flag('Whether the ledger was read for mints, holders and lookup tables.'),
  simulation: simulationSummary
    .optional()
    .meta({ description: 'The result of sending it now; absent if offline.' }),
});

export type Explanation = z.infer<typeof explanation>;
