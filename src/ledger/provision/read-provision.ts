import { readByteArray } from '../../json/parse-json.ts';
import { type Address, addressOf, parseAddress } from '../../solana/address.ts';
import { Keypair } from '../keypair.ts';
import type { AccountSource, CloneList } from './clone-accounts.ts';
import type { LedgerShape } from './ledger-shape.ts';
import { fileFault, readRegularFile } from './provided-accounts.ts';

/** The operator's additions to the genesis, by the flags of solana-test-validator. */
export interface Provision {
  /** `--account ADDRESS FILE`; the address is null for `-`, which uses the address in the file. */
  readonly accounts: readonly { readonly address: Address | null; readonly file: string }[];
  /** `--account-dir DIR`: all `.json` files in these folders. */
  readonly accountFolders: readonly string[];
  /**
   * `--bpf-program ADDRESS FILE` has no authority; `--upgradeable-program ADDRESS FILE AUTHORITY` has one
   * (null for `none`). Both become upgradeable programs, as in solana-test-validator since 1.18.
   */
  readonly programs: readonly {
    readonly address: Address;
    readonly file: string;
    readonly authority: Address | null;
  }[];
  /** `--snapshot FILE`: snapshots. If several contain an account, the last file wins. */
  readonly snapshots: readonly string[];
  /** `--mint ADDRESS`: a wallet with these initial lamports. */
  readonly mint: { readonly address: Address; readonly lamports: bigint } | null;
  /** `--clone`, `--maybe-clone` and `--clone-upgradeable-program` from the cluster of `--url`. */
  readonly clones: (CloneList & { readonly source: AccountSource }) | null;
  /** Permanent properties of a new ledger. */
  readonly shape: LedgerShape;
}

/** Maximum size of a configuration or keypair file, in bytes. */
const FILE_BYTES_MAX = 1024 * 1024;

/** The keypair line in the configuration of Solana's CLI, a plain or quoted YAML scalar. */
const KEYPAIR_LINE = /^keypair_path:[ \t]*(?:"([^"]*)"|'([^']*)'|([^\s#][^#\r\n]*?))[ \t]*(?:#.*)?$/m;

/**
 * Reads the wallet address of a Solana CLI configuration, from the key file in its `keypair_path`.
 * solana-test-validator uses the same wallet as its mint. The secret key is not kept.
 *
 * @throws {ServiceError} PROVISION_INVALID if the file is missing or is not a keypair. The message contains
 *   nothing from the file.
 */
export function readCliWallet(config: string): Address {
  const line = KEYPAIR_LINE.exec(readRegularFile(config, FILE_BYTES_MAX).toString('utf8'));
  const path = line?.[1] ?? line?.[2] ?? line?.[3];
  if (path === undefined) {
    throw fileFault(config, 'has no keypair_path: pass the wallet with --mint instead of --config');
  }
  if (/^[a-z]+:/i.test(path)) {
    throw fileFault(
      config,
      `has the keypair_path ${path}, which is not a file: pass the wallet with --mint instead of --config`,
    );
  }
  return addressOfKeypair(path);
}

/** Reads the address from the JSON array of `solana-keygen`: 32 bytes of seed and 32 of public key. */
function addressOfKeypair(path: string): Address {
  const bytes = readByteArray(readRegularFile(path, FILE_BYTES_MAX).toString('utf8'));
  const address = bytes?.length === 64 ? addressOf(bytes.subarray(32)) : null;
  if (bytes === null || address === null || new Keypair(bytes.subarray(0, 32)).address !== address) {
    throw fileFault(path, 'is not a solana-keygen keypair (a JSON array of 64 bytes)');
  }
  return address;
}

/** A provision on the command line, with addresses as unchecked text. */
export interface ProvisionTexts {
  /** Files of `--account`; the address is null for `-`. */
  readonly accounts: readonly { readonly address: string | null; readonly file: string }[];
  /** Folders of `--account-dir`. */
  readonly accountDirs: readonly string[];
  /** Programs of `--bpf-program`. */
  readonly programs: readonly { readonly address: string; readonly file: string }[];
  /** Programs of `--upgradeable-program`; the authority is null for `none`. */
  readonly upgradeablePrograms: readonly {
    readonly address: string;
    readonly file: string;
    readonly authority: string | null;
  }[];
  readonly clone: readonly string[];
  readonly maybeClone: readonly string[];
  readonly cloneUpgradeablePrograms: readonly string[];
  /** Tables of `--deep-clone-address-lookup-table`. */
  readonly deepCloneTables: readonly string[];
  /** Files of `--snapshot`. */
  readonly snapshots: readonly string[];
  readonly mint: string | null;
  /** The file of `--config`. */
  readonly cliConfig: string | null;
  /** The number of `--slots-per-epoch`. */
  readonly epochSlots: number | null;
  /** Lamports of `--rent-per-byte`. */
  readonly rentPerByte: number | null;
  /** Features of `--deactivate-feature`. */
  readonly deactivateFeatures: readonly string[];
  /** Whether `--clone-feature-set` is set. */
  readonly cloneFeatureSet: boolean;
}

interface ProvisionInputs {
  /** The cluster of `--url`; null to copy nothing. */
  readonly source: AccountSource | null;
  /** Whether the ledger is a fork of that cluster and uses its rent. */
  readonly isFork: boolean;
  /** Initial lamports of the wallet of `--mint`. */
  readonly mintLamports: bigint;
}

/**
 * Builds the provision from the command line.
 *
 * @throws {ServiceError} INVALID_ADDRESS naming the flag; PROVISION_INVALID for a configuration without a
 *   wallet.
 */
export function readProvision(
  texts: ProvisionTexts,
  { source, isFork, mintLamports }: ProvisionInputs,
): Provision {
  const optional = (text: string | null, flag: string): Address | null =>
    text === null ? null : parseAddress(text, flag);
  const list = (all: readonly string[], flag: string): Address[] =>
    all.map((text) => parseAddress(text, flag));
  const mint =
    texts.mint === null && texts.cliConfig !== null
      ? readCliWallet(texts.cliConfig)
      : optional(texts.mint, '--mint');
  return {
    accounts: texts.accounts.map(({ address, file }) => ({ address: optional(address, '--account'), file })),
    accountFolders: texts.accountDirs,
    programs: [
      ...texts.programs.map(({ address, file }) => ({
        address: parseAddress(address, '--bpf-program'),
        file,
        authority: null,
      })),
      ...texts.upgradeablePrograms.map(({ address, file, authority }) => ({
        address: parseAddress(address, '--upgradeable-program'),
        file,
        authority: optional(authority, '--upgradeable-program'),
      })),
    ],
    snapshots: texts.snapshots,
    mint: mint === null ? null : { address: mint, lamports: mintLamports },
    clones: source && {
      source,
      accounts: list(texts.clone, '--clone'),
      optional: list(texts.maybeClone, '--maybe-clone'),
      programs: list(texts.cloneUpgradeablePrograms, '--clone-upgradeable-program'),
      tables: list(texts.deepCloneTables, '--deep-clone-address-lookup-table'),
    },
    shape: {
      epochSlots: texts.epochSlots,
      rentPerByte: texts.rentPerByte === null ? null : BigInt(texts.rentPerByte),
      rentOf: isFork && texts.rentPerByte === null ? source : null,
      inactiveFeatures: list(texts.deactivateFeatures, '--deactivate-feature'),
      featuresOf: texts.cloneFeatureSet ? source : null,
    },
  };
}
