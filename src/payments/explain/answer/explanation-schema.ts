import { z } from 'zod';
import { simulationSummary } from '../../simulation/run-simulation.ts';
import { CHECKED_OPERATIONS } from '../request/check-request.ts';
import { decimalText } from '../../fields/decimal-text.ts';

const text = (description: string) => z.string().meta({ description });

const instruction = z.object({
  index: z.int().min(0).meta({ description: 'Position in the transaction, from 0.' }),
  programId: text('The program that is called.'),
  program: text('The name of the program; "unknown" when it is none of those that payments use.'),
  action: text('Stable name of the instruction; "unknown" when it is none of the known ones.'),
  known: z.boolean().meta({ description: 'Whether program and instruction are known.' }),
  text: text('What it does, in words.'),
  accounts: z
    .array(
      z.object({
        role: text('What the account is for the instruction.'),
        address: text('The account; "table[index]" where a lookup table could not be read.'),
        signer: z.boolean(),
        writable: z.boolean(),
      }),
    )
    .meta({ description: 'The accounts in order.' }),
  fields: z
    .array(z.object({ name: text('Name of the field.'), value: text('Its value; bytes as hex.') }))
    .meta({ description: 'What the data of the instruction say.' }),
});

const tokenChange = z.object({
  owner: z.string().nullable().meta({ description: 'Whose tokens; null when the bytes do not tell.' }),
  account: z.string().nullable().meta({ description: 'The token account; null when it is none or several.' }),
  mint: z.string().nullable().meta({ description: 'The mint; null when the bytes do not tell.' }),
  symbol: z.string().nullable().meta({ description: 'What the mint is commonly called.' }),
  location: z
    .enum(['base', 'ephemeral'])
    .meta({ description: 'Base ledger, or private balance on the rollup.' }),
  held: z.enum(['vault', 'sealed', 'queue', 'eata']).nullable().meta({
    description:
      'vault: backs private balances; sealed: the recipient is encrypted; queue: is paid out later; eata: in the ephemeral token account on base, and not on the rollup.',
  }),
  change: decimalText()
    .nullable()
    .meta({ description: 'Base units, negative when they leave; null when only the chain knows.' }),
  figure: z
    .string()
    .nullable()
    .meta({ description: 'The same as people write it; null without known decimals.' }),
  uiFigure: z.string().nullable().meta({
    description:
      'What wallets show instead, by the clock of the node, if the mint multiplies amounts or accrues interest; null otherwise. Limits bound base units.',
  }),
});

const effects = z.object({
  tokens: z.array(tokenChange).meta({ description: 'Tokens that leave and enter each owner.' }),
  lamports: z
    .array(
      z.object({ address: text('The account.'), change: decimalText('Lamports, negative when they leave.') }),
    )
    .meta({ description: 'Lamports that instructions move, without rent and network fee.' }),
  accountsCreated: z
    .array(
      z.object({
        address: text('The account.'),
        what: text('What it is.'),
        payer: text('Who pays its lamports.'),
        lamports: decimalText()
          .nullable()
          .meta({ description: 'Lamports it takes; null when the rent of the cluster was not read.' }),
        onlyIfMissing: z.boolean().meta({ description: 'Whether nothing is paid when it exists already.' }),
        exists: z
          .boolean()
          .nullable()
          .meta({ description: 'Whether it exists already; null when no chain was read.' }),
      }),
    )
    .meta({ description: 'Accounts that are created.' }),
  rentLamportsMax: decimalText().nullable().meta({
    description:
      'Lamports that creating accounts takes at most; without those that exist already. Null when the rent of the cluster was not read.',
  }),
  networkFeeLamportsMax: decimalText()
    .nullable()
    .meta({ description: 'The most the network charges the fee payer; null for a rollup.' }),
});

const wallet = z.object({
  address: text('The wallet.'),
  signs: z.boolean().meta({ description: 'Whether it is one of the signers.' }),
  tokens: z.array(tokenChange).meta({ description: 'Its tokens that leave or enter it.' }),
  lamportsMin: decimalText().nullable().meta({
    description:
      'The least its lamports change by, rent and network fee at their most: negative when they leave. Lamports that its signature takes out of other accounts are counted as leaving it; SOL that it wraps or unwraps stays its own, and is paid as tokens. Null when it pays a rent that was not read.',
  }),
});

const request = z.object({
  operation: z.enum(CHECKED_OPERATIONS).meta({ description: 'The operation that was asked for.' }),
  satisfied: z.enum(['yes', 'no', 'unverifiable']).meta({
    description:
      'Whether the transaction is what was asked for; unverifiable when a part is sealed, or could not be read from the chain, and nothing differs.',
  }),
  claims: z
    .array(
      z.object({
        name: text('What was asked for.'),
        verdict: z.enum(['ok', 'differs', 'unverifiable']),
        message: text('In words.'),
      }),
    )
    .meta({ description: 'A verdict on each thing that was asked for.' }),
  differences: z
    .array(
      z.object({
        instruction: z.int().min(0).optional(),
        part: text('Which account, field or property.'),
        expected: text('What it should be.'),
        found: text('What it is.'),
      }),
    )
    .meta({ description: 'Every point in which the transaction is not what was asked for.' }),
});

/** The result of `explainTransaction`. */
export const explanation = z.object({
  verdict: z.enum(['danger', 'caution', 'clear']).meta({
    description:
      'danger: do not sign unless you know why; caution: look at the findings; clear: everything in it is known, the ledger confirms who holds what, and trying it does what is said. Never clear when no ledger was asked.',
  }),
  version: z.enum(['legacy', 'v0', 'v1']).meta({ description: 'Form of the transaction.' }),
  config: z
    .object({
      priorityFeeLamports: z.string().nullable().meta({ description: 'The whole priority fee.' }),
      computeUnitLimit: z.int().nullable().meta({ description: 'Compute units; null for none at all.' }),
      loadedAccountsDataSizeLimit: z.int().nullable().meta({ description: 'Bytes; null for none at all.' }),
      heapSize: z.int().nullable().meta({ description: 'Bytes; null for the usual 32,768.' }),
    })
    .optional()
    .meta({ description: 'What a transaction of version 1 asks for; absent for other versions.' }),
  size: z.int().min(0).meta({ description: 'Bytes.' }),
  cluster: text('The cluster it was explained for.'),
  sendTo: z.enum(['base', 'ephemeral']).meta({ description: 'The ledger it was explained for.' }),
  recentBlockhash: text('The blockhash it is built on, base58.'),
  feePayer: text('Who pays the network fee.'),
  signers: z
    .array(
      z.object({
        address: text('Who has to sign.'),
        signature: z
          .enum(['valid', 'missing', 'wrong'])
          .meta({ description: 'Checked against the message.' }),
      }),
    )
    .meta({ description: 'Who has to sign, in the order of the signatures.' }),
  fullySigned: z.boolean().meta({ description: 'Whether every signature is there and valid.' }),
  lookupTables: z
    .array(
      z.object({
        address: text('The table.'),
        read: z.boolean().meta({ description: 'Whether its contents are known.' }),
      }),
    )
    .meta({ description: 'Lookup tables that accounts are named through.' }),
  wallet: wallet
    .optional()
    .meta({ description: 'What leaves the wallet that was named; absent without one.' }),
  instructions: z.array(instruction).meta({ description: 'Every instruction.' }),
  effects: effects.meta({ description: 'What all instructions do together if the transaction succeeds.' }),
  findings: z
    .array(
      z.object({
        level: z.enum(['danger', 'caution', 'note']),
        code: text('Stable name.'),
        message: text('In words.'),
        instruction: z.int().min(0).optional(),
      }),
    )
    .meta({ description: 'What a signer should know.' }),
  request: request.optional().meta({ description: 'Present when a request was given.' }),
  chainRead: z
    .boolean()
    .meta({ description: 'Whether the ledger was read for mints, holders and lookup tables.' }),
  simulation: simulationSummary
    .optional()
    .meta({ description: 'What sending it now would come to; absent when offline.' }),
});

export type Explanation = z.infer<typeof explanation>;
