import type { FlagName } from './flags.ts';
import { badFlag, type GivenFlags } from './read-flags.ts';

/** What the command line puts into a ledger besides its own beginnings. Addresses are base58 text of the right form. */
export interface ProvisionFlags {
  /** Dumps to load; the address in the file where it is null. */
  readonly accounts: readonly { readonly address: string | null; readonly file: string }[];
  /** Folders of such dumps. */
  readonly accountDirs: readonly string[];
  /** Programs that stay as they are. */
  readonly programs: readonly { readonly address: string; readonly file: string }[];
  /** Programs of the upgradeable loader; nobody may upgrade them where the authority is null. */
  readonly upgradeablePrograms: readonly {
    readonly address: string;
    readonly file: string;
    readonly authority: string | null;
  }[];
  /** Accounts to copy that have to be there. */
  readonly clone: readonly string[];
  /** Accounts to copy if they are there. */
  readonly maybeClone: readonly string[];
  /** Programs to copy with the account that holds their code. */
  readonly cloneUpgradeablePrograms: readonly string[];
  /** RPC URL to copy from. It may carry a key and is not to be shown. */
  readonly url: string | null;
  /** Whether to copy what is missing when it is first used. */
  readonly fork: boolean;
  /** Wallet that a new ledger gives SOL to. */
  readonly mint: string | null;
  /** First slot. */
  readonly warpSlot: number | null;
  /** Whether a new ledger has the programs and mints of private payments. */
  readonly genesisPrograms: boolean;
}

/** Nothing but the ledger's own beginnings. */
export const NO_PROVISION: ProvisionFlags = {
  accounts: [],
  accountDirs: [],
  programs: [],
  upgradeablePrograms: [],
  clone: [],
  maybeClone: [],
  cloneUpgradeablePrograms: [],
  url: null,
  fork: false,
  mint: null,
  warpSlot: null,
  genesisPrograms: true,
};

/** What is left of it for a start after a crash: the ledger has the rest, and may have changed it since. */
export function provisionOfRestart({ url, fork }: ProvisionFlags): ProvisionFlags {
  return { ...NO_PROVISION, url, fork };
}

/** The latest first slot: as many are left after it before numbers stop being exact. */
const WARP_SLOT_MAX = 2 ** 52;

/** Flags that copy from another cluster. */
const COPYING_FLAGS = [
  'clone',
  'maybe-clone',
  'clone-upgradeable-program',
  'fork',
] as const satisfies FlagName[];

/** The Solana CLI's names of clusters, and their public RPC. */
const MONIKERS: Readonly<Record<string, string>> = {
  m: 'https://api.mainnet-beta.solana.com',
  'mainnet-beta': 'https://api.mainnet-beta.solana.com',
  d: 'https://api.devnet.solana.com',
  devnet: 'https://api.devnet.solana.com',
  t: 'https://api.testnet.solana.com',
  testnet: 'https://api.testnet.solana.com',
  l: 'http://localhost:8899',
  localhost: 'http://localhost:8899',
};

/**
 * Reads the flags about what a ledger holds.
 *
 * @throws {ServiceError} CONFIG_INVALID for an address, URL or slot that is none, and for flags that need each other.
 */
export function readProvisionFlags({ values }: GivenFlags): ProvisionFlags {
  const all = (name: FlagName): readonly (readonly string[])[] => values.get(name) ?? [];
  const addresses = (name: FlagName): string[] => all(name).map(([text]) => readAddress(name, text));
  const only = (name: FlagName): string | undefined => all(name)[0]?.[0];
  const given = only('url');
  const url = given === undefined ? null : readUrl(given);
  const mint = only('mint');
  const warpSlot = only('warp-slot');
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
    url,
    fork: values.has('fork'),
    mint: mint === undefined ? null : readAddress('mint', mint),
    warpSlot: warpSlot === undefined ? null : readSlot(warpSlot),
    genesisPrograms: !values.has('no-genesis-programs'),
  };
}

function refuseCopyingFromNowhere(values: GivenFlags['values']): void {
  const copying = COPYING_FLAGS.find((name) => values.has(name));
  if (copying !== undefined && !values.has('url')) {
    throw badFlag(`--${copying} needs --url, the cluster to copy from.`);
  }
  if (copying === undefined && values.has('url')) {
    throw badFlag('--url does nothing alone: say what to copy with --fork, --clone or its kin.');
  }
}

/** Whether it decodes to 32 bytes is found out where it is used. */
function readAddress(name: FlagName, text: string | undefined): string {
  if (text !== undefined && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return text;
  throw badFlag(`--${name} needs a base58 address where it has '${text}'.`);
}

/** The message has nothing of the text, which may carry a key. */
function readUrl(text: string): string {
  const url = MONIKERS[text] ?? text;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw badFlag(`--url needs an http(s) URL or one of ${Object.keys(MONIKERS).join(', ')}.`);
}

function readSlot(text: string): number {
  const slot = Number(text);
  if (/^\d+$/.test(text) && slot <= WARP_SLOT_MAX) return slot;
  throw badFlag(`--warp-slot needs a slot, a whole number up to 2^52, where it has '${text}'.`);
}
