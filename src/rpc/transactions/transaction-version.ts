import type { Transaction } from '../../solana/transaction.ts';
import { RpcError, UNSUPPORTED_TRANSACTION_VERSION } from '../errors.ts';

/**
 * The version of a transaction as shown to a client that supports versions up to `versionMax`. A client that
 * states none is an old one: it gets only legacy transactions, without a version member.
 *
 * @throws {RpcError} -32015 for a version the client does not support.
 */
export function showVersion(
  { version }: Transaction,
  versionMax: number | undefined,
): 'legacy' | number | undefined {
  if (version === 'legacy') return versionMax === undefined ? undefined : version;
  if (versionMax !== undefined && version <= versionMax) return version;
  throw new RpcError(
    UNSUPPORTED_TRANSACTION_VERSION,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with ` +
      `the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );
}
