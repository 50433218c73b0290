import type { ErrorCode } from '../errors/codes.ts';
import type { InvalidField, Problem } from './problem.ts';

/** The error object of the hosted Private Payments API. */
interface HostedError {
  readonly code: string;
  readonly message: string;
  readonly details?: object;
  /** Only in validation errors: the invalid fields. */
  readonly issues?: readonly InvalidField[];
}

/** Codes that have another name in the hosted API. All others are the same there, or unknown to it. */
const HOSTED_CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_ARGUMENTS: 'VALIDATION_ERROR',
  INVALID_ADDRESS: 'INVALID_PUBLIC_KEY',
  CLUSTER_NOT_ALLOWED: 'INVALID_CLUSTER',
  CONFIG_INVALID: 'CONFIG_ERROR',
  UPSTREAM_UNAVAILABLE: 'RPC_ERROR',
  UPSTREAM_INVALID: 'RPC_ERROR',
  UPSTREAM_REJECTED: 'RPC_ERROR',
  UPSTREAM_RATE_LIMITED: 'RPC_ERROR',
  UPSTREAM_TIMEOUT: 'RPC_ERROR',
};

/** A failure in the format of the hosted API, under its own code if it has one. */
export function writeHostedError({ code, detail, details, fields = [] }: Problem): HostedError {
  const hostedCode = HOSTED_CODES[code as ErrorCode] ?? code;
  if (hostedCode === 'VALIDATION_ERROR') {
    return { code: hostedCode, message: 'Request validation failed', issues: fields };
  }
  return { code: hostedCode, message: detail, ...(details === undefined ? {} : { details }) };
}
