import { CLUSTER_MONIKERS } from '../config/programs-place.ts';
import { NOTHING_PROVIDED, type ProvisionOptions } from '../stack/provision-options.ts';
import type { FlagName } from './flags.ts';
import { badFlag, type ParsedFlags } from './read-flags.ts';

/** Returns the options for a restart after a crash. The ledger already contains everything else. */
export function provisionOfRestart({ url, fork }: ProvisionOptions): ProvisionOptions {
  return { ...NOTHING_PROVIDED, url, fork };
}

/** Maximum first slot. It keeps later slots exact as JavaScript numbers. */
const WARP_SLOT_MAX = 2 ** 52;

/** Limits for slots per epoch: at least `MINIMUM_SLOTS_PER_EPOCH`. getLeaderSchedule lists all of them. */
const EPOCH_SLOTS_MIN = 32;
const EPOCH_SLOTS_MAX = 4_320_000;
/** Maximum rent per byte: a hundred times a test validator's rent. */
const RENT_PER_BYTE_MAX = 696_000;

/** Flags that copy from another cluster. */
export const COPYING_FLAGS = [
  'clone',
  'maybe-clone',
  'clone-upgradeable-program',
  'deep-clone-address-lookup-table',
  'clone-feature-set',
  'fork',
] as const satisfies FlagName[];

/**
 * Reads the flags for the initial content of a ledger.
 *
 * @throws {ServiceError} CONFIG_INVALID for an invalid address, URL or slot, or a missing flag that another
 * flag needs.
 */
export function readProvisionFlags({ values }: Pick<ParsedFlags, 'values'>): ProvisionOptions {
  const all = (name: FlagName): readonly (readonly string[])[] => values.get(name) ?? [];
  const addresses = (name: FlagName): string[] => all(name).map(([text]) => readAddress(name, text));
  const only = (name: FlagName): string | undefined => all(name)[0]?.[0];
  const text = only('url');
  const url = text === undefined ? null : readUrl(text);
  const mint = only('mint');
  const number = (name: FlagName, min: number, max: number): number | null => {
    const given = only(name);
    return given === undefined ? null : readNumber(name, given, min, max);
  };
  refuseCopyingFromNowhere(values);
  return {
    accounts: all('account').map(([address, file]) => ({
      address: address === '-' ? null : readAddress('account', address),
      file: file as string,
    })),
    accountDirs: all('account-dir').map(([folder]) => folder as string),
    programs: all('bpf-program').map(([address, file]) => ({
      address: readAddress('bpf-program', address),
      file: file as string,
    })),
    upgradeablePrograms: all('upgradeable-program').map(([address, file, authority]) => ({
      address: readAddress('upgradeable-program', address),
      file: file as string,
      authority: authority === 'none' ? null : readAddress('upgradeable-program', authority),
    })),
    clone: addresses('clone'),
    maybeClone: addresses('maybe-clone'),
    cloneUpgradeablePrograms: addresses('clone-upgradeable-program'),
    deepCloneTables: addresses('deep-clone-address-lookup-table'),
    snapshots: all('snapshot').map(([file]) => file as string),
    url,
    fork: values.has('fork'),
    mint: mint === undefined ? null : readAddress('mint', mint),
    cliConfig: only('config') ?? null,
    warpSlot: number('warp-slot', 0, WARP_SLOT_MAX),
    epochSlots: number('slots-per-epoch', EPOCH_SLOTS_MIN, EPOCH_SLOTS_MAX),
    rentPerByte: number('rent-per-byte', 1, RENT_PER_BYTE_MAX),
    deactivateFeatures: addresses('deactivate-feature'),
    cloneFeatureSet: values.has('clone-feature-set'),
    genesisPrograms: !values.has('no-genesis-programs'),
    upgradePrograms: values.has('upgrade-programs'),
  };
}

function refuseCopyingFromNowhere(values: ParsedFlags['values']): void {
  const copying = COPYING_FLAGS.find((name) => values.has(name));
  if (copying !== undefined && !values.has('url')) {
    throw badFlag(`--${copying} needs --url, the cluster to copy from.`);
  }
  if (copying === undefined && values.has('url')) {
    throw badFlag('--url does nothing by itself: say what to copy with --fork, --clone or a similar flag.');
  }
}

/** Checks the format of an address. Its length is checked later. */
function readAddress(name: FlagName, text: string | undefined): string {
  if (text !== undefined && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return text;
  throw badFlag(`--${name} needs a base58 address, not '${text}'.`);
}

/** Parses a URL. The error does not contain it, because it may contain a key. */
function readUrl(text: string): string {
  const url = CLUSTER_MONIKERS[text] ?? text;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw badFlag(`--url needs an http(s) URL or one of ${Object.keys(CLUSTER_MONIKERS).join(', ')}.`);
}

function readNumber(name: FlagName, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw badFlag(`--${name} needs a whole number from ${min} to ${max}, not '${text}'.`);
}
