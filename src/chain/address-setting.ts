import { ServiceError } from '../errors/service-error.ts';
import { isAddress, type Address } from '../solana/address.ts';
import type { Setting } from './cluster-table.ts';

/**
 * Parses an address setting; null when it is not set.
 *
 * @throws {ServiceError} CONFIG_INVALID if the setting is not an address.
 */
export function readAddress<Key extends string>(
  settings: Readonly<Record<Key, string | null>>,
  { key, variable }: Setting<Key>,
): Address | null {
  const text: string | null = settings[key];
  if (text === null || isAddress(text)) return text;
  throw new ServiceError('CONFIG_INVALID', `${variable} must be a base58 Solana address of 32 bytes`);
}
