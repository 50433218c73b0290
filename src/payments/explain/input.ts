import { z } from 'zod';
import { quoted } from '../../errors/quoted-text.ts';
import { ServiceError } from '../../errors/service-error.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { LEDGERS, type Location } from '../building/built-transaction.ts';
import { address, cluster, flag } from '../fields/fields.ts';
import { dropAbsentNulls, nameMembers } from '../fields/input-members.ts';
import { transactionText } from '../fields/transaction-field.ts';
import type { Operation } from '../operation.ts';
import { programsOf } from '../simulation/with-simulation.ts';
import { isForRollup } from './explain-calls.ts';
import { type Finding, note } from './finding.ts';
import { identifyCalls } from './known-programs.ts';
import { CHECKED_OPERATIONS, type CheckedOperation, type ParsedRequest } from './request/check-request.ts';

/** Builds the input schema for `explainTransaction` with these cluster names. */
export const explainInput = (clusterNames: readonly string[]) =>
  z.strictObject({
    transactionBase64: transactionText(
      'The transaction as base64: legacy, v0 or v1; unsigned, partly or fully signed.',
    ),
    cluster: cluster(clusterNames).optional(),
    sendTo: z.enum(['base', 'ephemeral'], { error: 'must be "base" or "ephemeral"' }).optional().meta({
      description:
        'The ledger it is for: the sendTo of the built transaction. Default: the rollup when it calls the Magic program or the request is for it, else the base ledger.',
    }),
    request: z
      .strictObject({
        operation: z
          .enum(CHECKED_OPERATIONS, { error: `must be one of: ${CHECKED_OPERATIONS.join(', ')}` })
          .meta({ description: 'The operation it should have been built by.' }),
        arguments: z
          .record(z.string(), z.unknown(), { error: 'must be an object: the arguments of the operation' })
          .meta({ description: 'The arguments passed to the operation.' }),
        recentBlockhash: z
          .string({ error: 'must be a base58 text' })
          .max(44, { error: 'must be a base58 blockhash' })
          .optional()
          .meta({ description: 'The blockhash that the builder reported. It is also compared.' }),
      })
      .optional()
      .meta({ description: 'The request the transaction was built from. Every detail is compared with it.' }),
    wallet: address("The signer's own wallet. Its outgoing tokens and lamports are listed first.").optional(),
    offline: flag(
      'Use only the bytes and read no ledger. Nothing is confirmed then, and the verdict is never clear. Default: false.',
    ).optional(),
  });

export type ExplainInput = z.infer<ReturnType<typeof explainInput>>;

/**
 * Parses the arguments of a request with the operation's own schema; null without a request.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS if the operation is not offered or cannot parse them.
 */
export function parseRequest(
  request: ExplainInput['request'],
  operations: readonly Operation[],
): ParsedRequest | null {
  if (request === undefined) return null;
  const operation = operations.find(({ name }) => name === request.operation);
  if (operation === undefined) {
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      `request.operation ${request.operation} is not offered by this service`,
      {
        field: 'request.operation',
      },
    );
  }
  const named = nameMembers(operation.otherNames, request.arguments);
  const parsed = operation.input.safeParse(dropAbsentNulls(operation.input, named));
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      (issue) => `${issue.path.join('.') || 'arguments'}: ${messageOf(issue)}`,
    );
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      `request.arguments is not valid for operation ${request.operation}: ${faults.join('; ')}`,
      {
        field: 'request.arguments',
      },
    );
  }
  return {
    operation: request.operation as CheckedOperation,
    arguments: parsed.data,
    recentBlockhash: request.recentBlockhash,
  };
}

/** Shortens unknown names from the caller, which Zod quotes in full. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message;
  return `Unrecognized ${issue.keys.length === 1 ? 'key' : 'keys'}: ${issue.keys.map((key) => quoted(key, 64)).join(', ')}`;
}

/** Returns the cluster to use. A request for another cluster cannot be compared on this one. */
export function clusterOf(named: string | undefined, request: ParsedRequest | null): string | undefined {
  const requested = (request?.arguments as { cluster?: string } | undefined)?.cluster;
  if (named === undefined || requested === undefined) return named ?? requested;
  if (clusterKey(named) === clusterKey(requested)) return named;
  throw new ServiceError(
    'INVALID_ARGUMENTS',
    `cluster is ${shown(named)}, but request.arguments.cluster is ${shown(requested)}: pass only the cluster the transaction was built for`,
    { field: 'cluster' },
  );
}

const shown = (name: string): string => quoted(name.trim()).slice(1, -1);

/** Normalizes a cluster's name or URL. Names are case-insensitive, but URLs are not. */
function clusterKey(name: string): string {
  const trimmed = name.trim();
  return trimmed.includes(':') ? trimmed : trimmed.toLowerCase();
}

/** Derives the ledger if none is named: the rollup if the transaction or its request needs it, else base. */
export function deriveLedger(request: ParsedRequest | null, transaction: Transaction): Location {
  return isForRollup(transaction) || requestsRollup(request, transaction) ? 'ephemeral' : 'base';
}

function requestsRollup(request: ParsedRequest | null, transaction: Transaction): boolean {
  switch (request?.operation) {
    case 'transfer':
      return (request.arguments as { readonly fromBalance?: Location }).fromBalance === 'ephemeral';
    case 'undelegate':
      return true;
    // The first of its two transactions creates the pool on base, the second sets its keys on the rollup.
    case 'createStealthPool':
      return !identifyCalls(transaction).some(
        ({ matched }) => matched?.form.action === 'delegateStealthPool',
      );
    default:
      return false;
  }
}

const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([TOKEN_PROGRAM, TOKEN_2022_PROGRAM]);

/** Programs that work the same on both ledgers. */
const LEDGER_BLIND_PROGRAMS: ReadonlySet<string> = new Set([
  ...TOKEN_PROGRAMS,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
]);

/** Reports transactions that can run on either ledger, such as plain token transfers. */
export function ledgerFindings(
  transaction: Transaction,
  given: Location | undefined,
  location: Location,
): Finding[] {
  const programs = programsOf(transaction);
  const runsOnBoth =
    programs.some((program) => TOKEN_PROGRAMS.has(program)) &&
    programs.every((program) => LEDGER_BLIND_PROGRAMS.has(program));
  if (given !== undefined || !runsOnBoth) return [];
  const other = LEDGERS[location === 'base' ? 'ephemeral' : 'base'];
  const message = `Nothing in the transaction names a ledger: the same bytes could also run on ${other}. It is explained for ${LEDGERS[location]}: send it to ${LEDGERS[location]} only.`;
  return [note('RUNS_ON_EITHER_LEDGER', message)];
}
