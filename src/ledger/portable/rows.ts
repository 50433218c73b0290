import { tryParseJson } from '../../json/try-parse-json.ts';
import { z } from 'zod';
import { isAddress } from '../../solana/address.ts';
import { addressText, base64Text, bytesText, count, listOf, u64Text } from './text-forms.ts';
import { transactionRow } from './transaction-row.ts';

/** What the first line of an export calls itself. */
export const EXPORT_FORMAT = 'spl-private-payments-ledgers';

/** Goes up with every change that this release cannot read, or an earlier one. */
export const EXPORT_VERSION = 2;

/** The first line: what it is, and which ledgers follow. */
const headRow = z.strictObject({
  type: z.literal('head'),
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION, {
    error: ({ input }) => `${String(input)} cannot be read by this release, which reads ${EXPORT_VERSION}`,
  }),
  /** Of the base ledger, base58. */
  genesisHash: z.string(),
  /** SHA-256 in hex of the code of each on-chain program of private payments, by its address. */
  programs: z.record(z.string(), z.string()),
  /** In the order they follow. */
  ledgers: listOf(z.enum(['base', 'rollup'])).refine(
    (names) => ['base', 'base,rollup'].includes(names.join()),
    'must be base, or base and rollup',
  ),
});

const timeAnchor = z.strictObject({
  slot: count,
  unixMs: z.number(),
  slotMs: z.number(),
  afterSlot: z.int(),
  aheadMs: z.number().exactOptional(),
});

/** Begins a ledger; its accounts, transactions and messages follow. The seeds are secret. */
const ledgerRow = z.strictObject({
  type: z.literal('ledger'),
  name: z.enum(['base', 'rollup']),
  genesisHash: z.string().refine((text): boolean => isAddress(text), 'must be base58 of 32 bytes'),
  blockhashSeed: bytesText(32),
  faucetSeed: bytesText(32),
  identitySeed: bytesText(32),
  /** The highest slot that anybody may have been told of. */
  slotCeiling: count,
  /** The oldest slot whose transactions are complete. */
  firstSlot: count,
  /** How many transactions ever landed, forgotten ones included. */
  recordCount: count,
  timeAnchors: listOf(timeAnchor).refine((anchors) => anchors.length > 0, 'must have one at least'),
});

const accountRow = z.strictObject({
  type: z.literal('account'),
  address: addressText,
  lamports: u64Text,
  owner: addressText,
  executable: z.boolean(),
  rentEpoch: u64Text,
  data: base64Text,
});

/**
 * A message that the ledger refuses to take again; behind the transactions, and also of those that were
 * forgotten.
 */
const messageRow = z.strictObject({
  type: z.literal('message'),
  /** The height of the block whose hash it carries. */
  blockhashHeight: count,
  /** Its SHA-256. */
  digest: bytesText(32),
});

/** The last line. */
const endRow = z.strictObject({
  type: z.literal('end'),
  /** Lines before this one. */
  lines: count,
  /** SHA-256 in hex of all bytes before this line. */
  sha256: z.string(),
});

const rowForm = z.discriminatedUnion('type', [
  headRow,
  ledgerRow,
  accountRow,
  transactionRow,
  messageRow,
  endRow,
]);

/** A line of an export, read. */
export type Row = z.output<typeof rowForm>;
export type HeadRow = z.output<typeof headRow>;
export type LedgerRow = z.output<typeof ledgerRow>;
export type AccountRow = z.output<typeof accountRow>;
export type MessageRow = z.output<typeof messageRow>;

/** A row as a line, without its end. */
export const writeRow = (row: Row): string => JSON.stringify(z.encode(rowForm, row));

/** What a line holds, or what is wrong with it. */
export function readRow(line: string): Row | { readonly type: 'fault'; readonly fault: string } {
  const json = tryParseJson(line);
  if (json === undefined) return { type: 'fault', fault: 'is not JSON' };
  const parsed = z.safeDecode(rowForm, json as z.input<typeof rowForm>);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return { type: 'fault', fault: `${issue?.path.join('.') || 'the line'} ${issue?.message}` };
}
