import { ServiceError } from '../errors/service-error.ts';
import { isAddress, type Address } from '../solana/address.ts';
import type { Setting } from './cluster-table.ts';

/**
 * The address an operator has set; null for none.
 *
 * @throws {ServiceError} CONFIG_INVALID when it is none.
 */
export function readAddress<Key extends string>(
  settings: Readonly<Record<Key, string | null>>,
  { key, variable }: Setting<Key>,
): Address | null {
  const text: string | null = settings[key];
  if (text === null || isAddress(text)) return text;
  throw new ServiceError('CONFIG_INVALID', `${variable} must be a base58 Solana address of 32 bytes`);
}
