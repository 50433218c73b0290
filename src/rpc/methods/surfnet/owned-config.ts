import { bool } from '../../params/primitives.ts';
import type { ParamReader } from '../../params/param-reader.ts';
import { optional, struct } from '../../params/struct.ts';

/** Whether the accounts owned by an account are included. */
interface OwnedConfig {
  readonly includeOwnedAccounts: boolean | undefined;
}

/**
 * Reads the config of Surfpool's methods on an account and those it owns. They differ only in the struct's
 * `name`.
 */
export function ownedConfig(name: string): ParamReader<OwnedConfig> {
  return struct<OwnedConfig>(name, { includeOwnedAccounts: optional(bool) });
}
