import { bool } from '../../params/primitives.ts';
import type { ParamReader } from '../../params/param-reader.ts';
import { optional, struct } from '../../params/struct.ts';

/** Whether the accounts that an account owns are meant as well. */
interface OwnedConfig {
  readonly includeOwnedAccounts: boolean | undefined;
}

/** The config of Surfpool's methods about an account and those it owns: they differ in their `name` only. */
export function ownedConfig(name: string): ParamReader<OwnedConfig> {
  return struct<OwnedConfig>(name, { includeOwnedAccounts: optional(bool) });
}
