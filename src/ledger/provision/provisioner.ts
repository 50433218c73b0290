import { ServiceError } from '../../errors/service-error.ts';
import { NATIVE_LOADER, STAKE_PROGRAM, SYSTEM_PROGRAM, VOTE_PROGRAM } from '../../programs/addresses.ts';
import { decodeMint, isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { EmbeddedLedger } from '../embedded-ledger.ts';
import { LiteSvmEngine } from '../engine/litesvm-engine.ts';
import {
  type AccountEntry,
  exemptAccounts,
  type Genesis,
  type ValidatorAddresses,
} from '../genesis/genesis.ts';
import type { AccountReads, LedgerOperator } from '../ledger.ts';
import { ACCOUNTS_BYTES_MAX, ledgerFull } from '../run/account-states.ts';
import { LAMPORTS_MAX } from '../run/fee.ts';
import { isDifferent } from '../state/accounts.ts';
import { cloneAccounts, type CloneList } from './clone-accounts.ts';
import { dryRunAccounts, inEngineOrder } from './dry-run.ts';
import { rentOfShape, shapeAccounts, shapeWarnings } from './ledger-shape.ts';
import { type ProvidedAccounts, readProvidedAccounts } from './provided-accounts.ts';
import type { Provision } from './read-provision.ts';

/** Bytes and lamports reserved for the accounts of every ledger: about 1.4 MB with litesvm 1.4.1. */
const OWN_BYTES_MAX = 4 * 1024 * 1024;
const OWN_LAMPORTS_MAX = 1_000_000n * 1_000_000_000n;

/**
 * Checks that a new ledger has room for its accounts, before the existing one is deleted. The total of
 * lamports must fit into a u64, because otherwise no account could be set later.
 *
 * @throws {ServiceError} LEDGER_FULL naming the setting, PROVISION_INVALID for too many lamports.
 */
function assertFits(entries: readonly AccountEntry[], bytesMax: number): void {
  const accounts = [...new Map(entries).values()];
  const bytes = accounts.reduce((sum, { data }) => sum + data.length, OWN_BYTES_MAX);
  if (bytes > bytesMax) throw ledgerFull(bytes, bytesMax);
  if (accounts.reduce((sum, { lamports }) => sum + lamports, OWN_LAMPORTS_MAX) <= LAMPORTS_MAX) return;
  throw new ServiceError(
    'PROVISION_INVALID',
    'The provided accounts have too many lamports: the total of all accounts would not fit into 64 bits. Remove some, or reduce their lamports',
  );
}

/** A requested address, with its flag for messages. */
type Wanted = readonly [address: Address, origin: string];

/** Returns whether the ledger itself has an account at an address. */
type IsOwn = (address: Address) => boolean;

/**
 * Checks that no flag replaces one of the ledger's own accounts. Tests with a different program or mint at a
 * well-known address would prove nothing about the network.
 *
 * @throws {ServiceError} PROVISION_INVALID naming the first address that belongs to the ledger itself.
 */
function assertNotOwn(wanted: Iterable<Wanted>, isOwn: IsOwn): void {
  for (const [address, origin] of wanted) {
    if (!isOwn(address)) continue;
    throw new ServiceError(
      'PROVISION_INVALID',
      `${origin} cannot be set at ${address}, where the ledger already has an account. Pass another address (--no-genesis-programs creates a ledger without the programs and mints of private payments)`,
      { account: address },
    );
  }
}

/** Offset of the supply (u64) in SPL Token's `Mint`. */
const SUPPLY_AT = 36;

/** Placeholder for a validator without keys yet. */
const NO_VALIDATOR: ValidatorAddresses = {
  identity: SYSTEM_PROGRAM,
  vote: VOTE_PROGRAM,
  stake: STAKE_PROGRAM,
};

interface Provided {
  readonly provided: readonly ProvidedAccounts[];
  /** Accounts of snapshots that were left out because the ledger has its own at their addresses. */
  readonly skipped: ReadonlyMap<Address, Account>;
  readonly isOwn: IsOwn;
}

/**
 * Adds the operator's accounts to a ledger. A new or reset ledger starts with them. On an existing ledger
 * each start adds only missing accounts, and `complete` warns about others that differ. Accounts that were
 * copied from a cluster are not read again. A ledger's own accounts are never replaced.
 */
export class Provisioner {
  readonly #provision: Provision;
  readonly #base: Genesis;
  readonly #accountsBytesMax: number;
  /** Whether this ledger was newly created with the provided accounts. */
  #isNew = false;
  readonly #warnings: string[] = [];

  /** @param accountsBytesMax maximum total bytes of account data; default 512 MiB. */
  constructor(provision: Provision, base: Genesis, accountsBytesMax = ACCOUNTS_BYTES_MAX) {
    this.#provision = provision;
    this.#base = base;
    this.#accountsBytesMax = accountsBytesMax;
  }

  /**
   * Returns the genesis of a new ledger with the provided accounts. Its `accounts` throw ServiceError
   * PROVISION_INVALID, UPSTREAM_* or LEDGER_FULL if an account cannot be read or loaded, or would replace one
   * of the ledger's own. No ledger is created then.
   */
  genesis(): Genesis {
    const base = this.#base;
    return {
      accounts: async (faucet, validator) => {
        const shape = await shapeAccounts(this.#provision.shape);
        const { provided, skipped, isOwn } = await this.#readProvided(faucet, []);
        const entries = this.#check(provided, await this.#clone(isOwn, () => true));
        const own = exemptAccounts([...(await base.accounts(faucet, validator))], rentOfShape(shape));
        const all = [...own.map((entry) => withSupplyOf(skipped, entry)), ...shape, ...entries];
        // Without provided accounts a ledger always fits.
        if (entries.length > 0) assertFits(all, this.#accountsBytesMax);
        this.#isNew = true;
        return inEngineOrder(all);
      },
      firstSlot: async () => (await base.firstSlot?.()) ?? null,
    };
  }

  /**
   * Adds the missing accounts to an open ledger, durably, and returns warnings for the operator. Reads only
   * missing accounts from the cluster.
   *
   * @param keys the accounts of the ledger's validator.
   * @throws {ServiceError} PROVISION_INVALID, UPSTREAM_*, or an error of `setAccounts`.
   */
  async complete(
    ledger: Pick<EmbeddedLedger, 'getAccount' | 'faucet' | 'epochSlots'>,
    operator: LedgerOperator,
    keys: readonly Address[] = [],
  ): Promise<readonly string[]> {
    if (this.#isNew) return this.#warnings;
    const isMissing = (address: Address): boolean => ledger.getAccount(address) === null;
    const { provided, isOwn } = await this.#readProvided(ledger.faucet, keys);
    const missing = provided.filter(({ address }) => isMissing(address));
    const entries = this.#check(missing, await this.#clone(isOwn, isMissing));
    if (entries.length > 0) await operator.setAccounts(inEngineOrder(entries));
    const differing = provided.filter((one) => one.entries.some((entry) => !isThere(entry, ledger)));
    if (differing.length > 0) this.#warnings.push(differingWarning(differing));
    this.#warnings.push(...shapeWarnings(this.#provision.shape, ledger));
    return this.#warnings;
  }

  /** @throws {ServiceError} PROVISION_INVALID. */
  async #readProvided(faucet: Address, keys: readonly Address[]): Promise<Provided> {
    const provided = readProvidedAccounts(this.#provision);
    const clones = wantedClones(this.#provision.clones);
    if (provided.length + clones.length === 0) return { provided, skipped: new Map(), isOwn: () => false };
    const isOwn = await this.#findOwn([faucet, ...keys]);
    const files = provided.filter(({ yields }) => !yields);
    const wanted = files.flatMap(({ entries, origin }) => entries.map(([at]): Wanted => [at, origin]));
    assertNotOwn([...wanted, ...clones], isOwn);
    const skipped = provided.filter(({ yields, address }) => yields && isOwn(address));
    if (skipped.length > 0) this.#warnings.push(skippedWarning(skipped));
    return {
      provided: provided.filter((one) => !skipped.includes(one)),
      skipped: new Map(skipped.flatMap(({ entries }) => entries)),
      isOwn,
    };
  }

  /** @param keys the addresses of the ledger's faucet and its validator. */
  async #findOwn(keys: readonly Address[]): Promise<IsOwn> {
    const genesis = await this.#base.accounts(keys[0] as Address, NO_VALIDATOR);
    const entries = [...genesis, ...new LiteSvmEngine().builtinAccounts()];
    const own = new Set([NATIVE_LOADER, ...entries.map(([address]) => address), ...keys]);
    // Checks the prefix, because the engine does not have all sysvars.
    return (address) => address.startsWith('Sysvar') || own.has(address);
  }

  /** Returns all accounts to set on the ledger, after a dry run. */
  #check(provided: readonly ProvidedAccounts[], cloned: readonly AccountEntry[]): AccountEntry[] {
    const entries = [...new Map([...cloned, ...provided.flatMap((one) => one.entries)])];
    const providers = new Map(provided.flatMap((one) => one.entries.map(([address]) => [address, one])));
    const nameOf = (address: Address): string => {
      const provider = providers.get(address);
      return provider === undefined ? `--clone ${address}` : `${address} of ${provider.origin}`;
    };
    for (const address of dryRunAccounts(entries, nameOf)) {
      const what = `${nameOf(address)} cannot be called: the engine does not load its code`;
      if (providers.get(address)?.isProgramFile === true) {
        throw new ServiceError('PROVISION_INVALID', what, { account: address });
      }
      this.#warnings.push(what);
    }
    return entries;
  }

  async #clone(isOwn: IsOwn, isWanted: (address: Address) => boolean): Promise<AccountEntry[]> {
    const { clones } = this.#provision;
    if (clones === null) return [];
    const wanted: CloneList = {
      accounts: clones.accounts.filter(isWanted),
      optional: clones.optional.filter(isWanted),
      programs: clones.programs.filter(isWanted),
      tables: clones.tables.filter(isWanted),
    };
    // Skips listed addresses that are the ledger's own or already exist here.
    const entries = await cloneAccounts(clones.source, wanted, (each) => isOwn(each) || !isWanted(each));
    // The addresses of code are checked too, because the accounts of the cluster determine them.
    const origins = entries.map(([address]): Wanted => [address, 'the code of a program that is copied']);
    assertNotOwn(origins, isOwn);
    return entries;
  }
}

function wantedClones(clones: CloneList | null): Wanted[] {
  if (clones === null) return [];
  const { accounts, optional, programs, tables } = clones;
  const of = (flag: string, addresses: readonly Address[]): Wanted[] =>
    addresses.map((address) => [address, flag]);
  return [
    ...of('--clone', accounts),
    ...of('--maybe-clone', optional),
    ...of('--clone-upgradeable-program', programs),
    ...of('--deep-clone-address-lookup-table', tables),
  ];
}

function skippedWarning(skipped: readonly ProvidedAccounts[]): string {
  const list = skipped.map(({ address, origin }) => `${address} (${origin})`).join(', ');
  return `The ledger has its own accounts at addresses of a snapshot, and keeps them: ${list}. With --no-genesis-programs a new ledger uses the mints and programs of private payments from the snapshot.`;
}

/** Sets the ledger's own mint to the snapshot's supply, because the snapshot provides the token accounts. */
function withSupplyOf(
  skipped: ReadonlyMap<Address, Account>,
  [address, account]: AccountEntry,
): AccountEntry {
  const other = skipped.get(address);
  const isMint = isTokenProgram(account.owner) && decodeMint(account.data) !== null;
  if (!isMint || other?.owner !== account.owner || decodeMint(other.data) === null) return [address, account];
  const data = new Uint8Array(account.data);
  data.set(other.data.subarray(SUPPLY_AT, SUPPLY_AT + 8), SUPPLY_AT);
  return [address, { ...account, data }];
}

function differingWarning(differing: readonly ProvidedAccounts[]): string {
  const list = differing.map(({ address, origin }) => `${address} (${origin})`).join(', ');
  return `The existing ledger has other accounts at these addresses, and keeps them: ${list}. Start with --reset to create a ledger with the provided accounts.`;
}

function isThere([address, account]: AccountEntry, ledger: Pick<AccountReads, 'getAccount'>): boolean {
  const present = ledger.getAccount(address);
  return present !== null && !isDifferent({ ...present, rentEpoch: account.rentEpoch }, account);
}
