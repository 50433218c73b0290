import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import { readPolicy, type SpendingPolicy } from '../policy/policy.ts';

/**
 * Reads the spending policy; null without one.
 *
 * @throws {ServiceError} CONFIG_INVALID if the file cannot be read or is invalid.
 */
export function openSpendingPolicy({
  spendingPolicy,
}: Pick<Config, 'spendingPolicy'>): SpendingPolicy | null {
  if (spendingPolicy === null) return null;
  try {
    return readPolicy(JSON.parse(readFileSync(spendingPolicy, 'utf8')));
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new ServiceError(
      'CONFIG_INVALID',
      `SPENDING_POLICY cannot be used: ${cause.message}. Correct the file ${spendingPolicy}, or unset it.`,
      {},
      { cause },
    );
  }
}
