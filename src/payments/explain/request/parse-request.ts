import type { z } from 'zod';
import { quoted } from '../../../errors/quoted-text.ts';
import { ServiceError } from '../../../errors/service-error.ts';
import { dropAbsentNulls } from '../../fields/absent-nulls.ts';
import { nameMembers } from '../../fields/other-names.ts';
import type { Operation } from '../../operation.ts';
import type { ExplainInput } from '../explain-input.ts';
import type { CheckedOperation, ParsedRequest } from './check-request.ts';

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
      `request.arguments are not those of ${request.operation}: ${faults.join('; ')}`,
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

/** Zod quotes names from the caller unshortened. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message;
  return `Unrecognized ${issue.keys.length === 1 ? 'key' : 'keys'}: ${issue.keys.map((key) => quoted(key, 64)).join(', ')}`;
}

/** The cluster to use. A request for another cluster cannot be compared on this one. */
export function clusterOf(named: string | undefined, request: ParsedRequest | null): string | undefined {
  const asked = (request?.arguments as { cluster?: string } | undefined)?.cluster;
  if (named === undefined || asked === undefined) return named ?? asked;
  if (clusterKey(named) === clusterKey(asked)) return named;
  throw new ServiceError(
    'INVALID_ARGUMENTS',
    `cluster is ${shown(named)}, but request.arguments.cluster is ${shown(asked)}: name one cluster, the one the transaction was built for`,
    { field: 'cluster' },
  );
}

const shown = (name: string): string => quoted(name.trim()).slice(1, -1);

/** Names are case-insensitive, URLs are not. */
function clusterKey(name: string): string {
  const trimmed = name.trim();
  return trimmed.includes(':') ? trimmed : trimmed.toLowerCase();
}
