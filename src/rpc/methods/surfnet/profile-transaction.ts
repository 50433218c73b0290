import type { JsonOutput } from '../../../json/json-value.ts';
import { accountEncoding, type AccountEncoding, accountsView } from '../../accounts/account-encoding.ts';
import { option, optional, string, struct, variant } from '../../params/readers.ts';
import { defineMethod } from '../../rpc-method.ts';
import { inContext, type RpcNode } from '../../rpc-node.ts';
import { decodeTransactionText } from '../../wire/encoded-transaction.ts';
import { keptBeside, operatorOf } from './cheat-parts.ts';
import { type Profile, profileTransaction, type States } from './profile.ts';
import { showProfile } from './show-profile.ts';

/** Most profiles kept (Surfpool `DEFAULT_PROFILING_MAP_CAPACITY`), and most bytes of account data in them. */
const PROFILES_MAX = 200;
const BYTES_MAX = 64 * 1024 * 1024;

interface Kept {
  readonly profile: Profile;
  readonly tag: string | undefined;
  readonly bytes: number;
}

/** The newest profiles, by key and by tag. */
class ProfileShelf {
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  /** Adds a profile and drops the oldest ones beyond the limits. The newest is kept whatever its size. */
  keep(profile: Profile, tag: string | undefined): void {
    const bytes = bytesOf(profile);
    this.#kept.set(profile.key, { profile, tag, bytes });
    this.#bytes += bytes;
    for (const [key, oldest] of this.#kept) {
      if (this.#kept.size <= PROFILES_MAX && this.#bytes <= BYTES_MAX) break;
      if (key === profile.key) break;
      this.#kept.delete(key);
      this.#bytes -= oldest.bytes;
    }
  }

  get(key: string): Profile | undefined {
    return this.#kept.get(key)?.profile;
  }

  /** Oldest first. */
  tagged(tag: string): readonly Profile[] {
    return [...this.#kept.values()].filter((kept) => kept.tag === tag).map(({ profile }) => profile);
  }
}

function bytesOf({ readonlyStates, transaction, instructions }: Profile): number {
  const runs = [transaction, ...instructions];
  const states = [readonlyStates, ...runs.flatMap(({ before, after }) => [before, after])];
  return states.reduce((sum, each) => sum + dataBytes(each), 0);
}

function dataBytes(states: States): number {
  let bytes = 0;
  for (const account of states.values()) bytes += account?.data.length ?? 0;
  return bytes;
}

interface ProfileConfig {
  readonly encoding: AccountEncoding | undefined;
  readonly depth: 'transaction' | 'instruction' | undefined;
}

/** Surfpool `RpcProfileResultConfig`. */
const profileConfig = struct<ProfileConfig>('RpcProfileResultConfig', {
  encoding: optional(accountEncoding),
  depth: optional(variant(['transaction', 'instruction'])),
});

const shelf = keptBeside(() => new ProfileShelf());

/**
 * `surfnet_profileTransaction([transaction, tag?, { encoding?, depth? }?])`: the effects of a transaction
 * (base64), and of each instruction unless `depth` is `transaction`: accounts before and after, compute
 * units, logs. It need not be signed. The newest profiles are stored for later queries.
 */
export const surfnetProfileTransaction = defineMethod(
  'surfnet_profileTransaction',
  { required: [string], optional: [option(string), option(profileConfig)] },
  (node, text, tag, config) => {
    operatorOf(node);
    const profile = profileTransaction(node.ledger, decodeTransactionText(text, 'base64'));
    shelf(node).keep(profile, tag);
    return inContext(node, profile.slot, show(node, profile, config));
  },
);

/**
 * `surfnet_getProfileResultsByTag([tag, config?])`: the profiles with a tag, oldest first; null if there are
 * none.
 */
export const surfnetGetProfileResultsByTag = defineMethod(
  'surfnet_getProfileResultsByTag',
  { required: [string], optional: [option(profileConfig)] },
  (node, tag, config) => {
    operatorOf(node);
    const profiles = shelf(node).tagged(tag);
    const shown = profiles.map((profile) => show(node, profile, config));
    return inContext(node, node.ledger.head().slot, shown.length === 0 ? null : shown);
  },
);

/**
 * `surfnet_getTransactionProfile([key, config?])`: the profile with that key; null if it is no longer stored.
 * Landed transactions are not profiled, so for a signature the answer is always null.
 */
export const surfnetGetTransactionProfile = defineMethod(
  'surfnet_getTransactionProfile',
  { required: [string], optional: [option(profileConfig)] },
  (node, key, config) => {
    operatorOf(node);
    const profile = shelf(node).get(key);
    const slot = profile?.slot ?? node.ledger.head().slot;
    return inContext(node, slot, profile === undefined ? null : show(node, profile, config));
  },
);

function show({ ledger }: RpcNode, profile: Profile, config: ProfileConfig | undefined): JsonOutput {
  const view = accountsView(config, 'jsonParsed', (address) => ledger.getAccount(address));
  return showProfile(profile, view, config?.depth !== 'transaction');
}
