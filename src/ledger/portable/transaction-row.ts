import { z } from 'zod';
import type { TransactionError } from '../transaction-error.ts';
import { addressText, base64Text, count, listOf, signatureText, u64Text } from './text-forms.ts';

const transactionError = z.custom<TransactionError>(
  (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
  'must be an error as Solana writes it',
);

const tokenBalance = z.strictObject({
  accountIndex: count,
  mint: addressText,
  owner: addressText,
  programId: addressText,
  amount: u64Text,
  decimals: count,
});

const innerInstruction = z.strictObject({
  programIdIndex: count,
  accounts: base64Text,
  data: base64Text,
  stackHeight: count,
});

/** A landed transaction: a `TransactionRecord`, and where else it is listed than under its keys. */
export const transactionRow = z.strictObject({
  type: z.literal('transaction'),
  /** The addresses it is listed under; left out where they are all its keys. */
  listedUnder: listOf(addressText).exactOptional(),
  record: z.strictObject({
    signature: signatureText,
    slot: count,
    index: count,
    blockTime: z.int(),
    wire: base64Text,
    err: transactionError.nullable(),
    fee: u64Text,
    preBalances: listOf(u64Text),
    postBalances: listOf(u64Text),
    preTokenBalances: listOf(tokenBalance),
    postTokenBalances: listOf(tokenBalance),
    innerInstructions: listOf(z.strictObject({ index: count, instructions: listOf(innerInstruction) })),
    logs: listOf(z.string()),
    loadedAddresses: z.strictObject({ writable: listOf(addressText), readonly: listOf(addressText) }),
    returnData: z.strictObject({ programId: addressText, data: base64Text }).nullable(),
    computeUnits: count,
    loadedAccountsDataSize: count,
  }),
});

/** What {@link transactionRow} reads. */
export type TransactionRow = z.output<typeof transactionRow>;
