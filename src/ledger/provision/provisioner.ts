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
import { cloneAccounts, type CloneList } from './clone-accounts.ts';
import { dryRunAccounts, inEngineOrder } from './dry-run.ts';
import { rentOfShape, shapeAccounts, shapeWarnings } from './ledger-shape.ts';
import { type ProvidedAccounts, readProvidedAccounts } from './provided-accounts.ts';
import type { Provision } from './read-provision.ts';

/**
 * Bytes reserved for the accounts of every ledger (native programs, sysvars, validators): about 1.4 MB with
 * litesvm 1.4.1.
 */
const OWN_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Checks that a new ledger has room for all its initial accounts, before the existing one is deleted for it.
 *
 * @param provided the operator's accounts; without any a new ledger always fits.
 * @throws {ServiceError} LEDGER_FULL naming the setting.
 */
function assertBytesFit(
  provided: readonly AccountEntry[],
  all: readonly AccountEntry[],
  bytesMax: number,
): void {
  const bytes = [...new Map(all).values()].reduce((sum, { data }) => sum + data.length, OWN_BYTES_MAX);
  if (provided.length > 0 && bytes > bytesMax) throw ledgerFull(bytes, bytesMax);
}

/** Lamports reserved for the accounts of every ledger: a million SOL. */
const OWN_LAMPORTS_MAX = 1_000_000n * 1_000_000_000n;

/**
 * Checks that the total lamports of a ledger still fit into a u64 with these accounts. Beyond that no account
 * could be set and the supply could not be reported.
 *
 * @param total lamports of all accounts, these included.
 * @throws {ServiceError} PROVISION_INVALID naming the account among `provided` with the most lamports.
 */
function assertLamportsFit(
  provided: readonly AccountEntry[],
  total: bigint,
  nameOf: (address: AccountEntry[0]) => string,
): void {
  const [richest] = provided.toSorted(([, a], [, b]) => (a.lamports < b.lamports ? 1 : -1));
  if (richest === undefined || total <= LAMPORTS_MAX - OWN_LAMPORTS_MAX) return;
  const [address, { lamports }] = richest;
  throw new ServiceError(
    'PROVISION_INVALID',
    `${nameOf(address)} has ${lamports} lamports, too many: the total of all accounts would not fit into 64 bits`,
    { account: address },
  );
}

/** A requested address, and the flag that requests it, for messages. */
type Wanted = readonly [address: Address, origin: string];

/**
 * A ledger's own accounts, which no flag may replace. Payments tested on a foreign program or mint at a
 * well-known address would prove nothing about the network.
 */
class OwnAccounts {
  readonly #addresses: ReadonlySet<Address>;

  /**
   * @param genesis the accounts of its genesis.
   * @param keys the accounts of its faucet and its validator.
   */
  constructor(genesis: Iterable<AccountEntry>, keys: Iterable<Address>) {
    const builtin = new LiteSvmEngine().builtinAccounts();
    const addresses = [...genesis, ...builtin].map(([address]) => address);
    this.#addresses = new Set([NATIVE_LOADER, ...addresses, ...keys]);
  }

  has(address: Address): boolean {
    // No key pair can be found whose address starts like this, so it is a sysvar. The engine does not have
    // accounts for all of them.
    return address.startsWith('Sysvar') || this.#addresses.has(address);
  }

  /** @throws {ServiceError} PROVISION_INVALID naming the first address that belongs to the ledger itself. */
  refuse(wanted: Iterable<Wanted>): void {
    for (const [address, origin] of wanted) {
      if (!this.has(address)) continue;
      throw new ServiceError(
        'PROVISION_INVALID',
        `${origin} cannot be set at ${address}, where the ledger has an account of its own. Pass another address (--no-genesis-programs creates a ledger without the programs and mints of private payments)`,
        { account: address },
      );
    }
  }
}

/** Offset of the supply (u64) in SPL Token's `Mint`. */
const SUPPLY_AT = 36;

/** The keys a genesis is created for. */
type GenesisKeys = Parameters<Genesis['accounts']>;

/** Placeholder for a validator whose keys are drawn later. */
const NO_VALIDATOR: ValidatorAddresses = {
  identity: SYSTEM_PROGRAM,
  vote: VOTE_PROGRAM,
  stake: STAKE_PROGRAM,
};

/** Names an account in messages. */
type NameOf = (address: Address) => string;

/** Checked accounts, and their names in messages. */
interface Checked {
  readonly entries: readonly AccountEntry[];
  readonly nameOf: NameOf;
}

/** The additional accounts of a new ledger. */
interface Ready extends Checked {
  /** The accounts that express its shape. */
  readonly shape: readonly AccountEntry[];
}

/**
 * Puts the operator's accounts on a ledger. A new or reset ledger starts with them. On an existing ledger
 * each start adds the missing ones and leaves the others unchanged; `complete` reports which files they
 * differ from. Accounts once copied from a cluster are not read again. A ledger's own accounts are never
 * replaced.
 */
export class Provisioner {
  readonly #provision: Provision;
  readonly #base: Genesis;
  readonly #accountsBytesMax: number;
  /** Whether this ledger was newly created with the provided accounts. */
  #isNew = false;
  readonly #warnings: string[] = [];
  /** Accounts of snapshots at addresses of the ledger's own accounts. */
  #skipped: ReadonlyMap<Address, Account> = new Map();

  /**
   * @param base the genesis of every new ledger.
   * @param accountsBytesMax total bytes of account data; default 512 MiB.
   */
  constructor(provision: Provision, base: Genesis, accountsBytesMax = ACCOUNTS_BYTES_MAX) {
    this.#provision = provision;
    this.#base = base;
    this.#accountsBytesMax = accountsBytesMax;
  }

  /**
   * The genesis of a new ledger with the provided accounts. Its `accounts` throw ServiceError
   * PROVISION_INVALID, UPSTREAM_* or LEDGER_FULL if an account cannot be read or loaded or would replace one
   * of the ledger's own. No ledger is created then.
   */
  genesis(): Genesis {
    const base = this.#base;
    const read = async (faucet: Address): Promise<Ready> => {
      const shape = await shapeAccounts(this.#provision.shape);
      const { provided, own } = await this.#readProvided(faucet);
      return { ...this.#check(provided, await this.#clone(() => true, own)), shape };
    };
    const merge = async (keys: GenesisKeys, { entries, nameOf, shape }: Ready): Promise<AccountEntry[]> => {
      const own = exemptAccounts([...(await base.accounts(...keys))], rentOfShape(shape)).map((entry) =>
        withSupplyOf(this.#skipped, entry),
      );
      const merged = [...own, ...shape, ...entries];
      assertLamportsFit(entries, totalOf(merged), nameOf);
      assertBytesFit(entries, merged, this.#accountsBytesMax);
      return merged;
    };
    return {
      accounts: async (faucet, validator) => {
        const entries = await merge([faucet, validator], await read(faucet));
        this.#isNew = true;
        return inEngineOrder(entries);
      },
      firstSlot: async () => (await base.firstSlot?.()) ?? null,
    };
  }

  /**
   * Adds the missing accounts to an open ledger, durably, and returns warnings for the operator. Only
   * accounts that are missing here are read from the cluster.
   *
   * @param keys the accounts of the ledger's validator.
   * @throws {ServiceError} PROVISION_INVALID, UPSTREAM_*, LEDGER_FULL.
   */
  async complete(
    ledger: Pick<EmbeddedLedger, 'getAccount' | 'totalLamports' | 'faucet' | 'epochSlots'>,
    operator: LedgerOperator,
    keys: readonly Address[] = [],
  ): Promise<readonly string[]> {
    if (this.#isNew) return this.#warnings;
    const isMissing = (address: Address): boolean => ledger.getAccount(address) === null;
    const { provided, own } = await this.#readProvided(ledger.faucet, keys);
    const missing = provided.filter(({ address }) => isMissing(address));
    const { entries, nameOf } = this.#check(missing, await this.#clone(isMissing, own));
    assertLamportsFit(entries, ledger.totalLamports() + totalOf(entries), nameOf);
    if (entries.length > 0) await operator.setAccounts(inEngineOrder(entries));
    const differing = provided.filter((one) => one.entries.some((entry) => !isThere(entry, ledger)));
    if (differing.length > 0) this.#warnings.push(differingWarning(differing));
    this.#warnings.push(...shapeWarnings(this.#provision.shape, ledger));
    return this.#warnings;
  }

  /** The provided accounts, without snapshot accounts at addresses of the ledger's own accounts. */
  async #readProvided(
    faucet: Address,
    keys: readonly Address[] = [],
  ): Promise<{ readonly provided: readonly ProvidedAccounts[]; readonly own: OwnAccounts | null }> {
    const all = readProvidedAccounts(this.#provision);
    const own = await this.#assertNothingReplaced(
      all.filter(({ yields }) => !yields),
      faucet,
      keys,
    );
    const snapshots = all.filter(({ yields }) => yields);
    if (snapshots.length === 0) return { provided: all, own };
    const others = own ?? (await this.#ownAccounts(faucet, keys));
    const skipped = snapshots.filter(({ address }) => others.has(address));
    this.#skipped = new Map(skipped.flatMap(({ entries }) => entries));
    if (skipped.length > 0) this.#warnings.push(skippedWarning(skipped));
    return { provided: all.filter((one) => !skipped.includes(one)), own: others };
  }

  async #ownAccounts(faucet: Address, keys: readonly Address[]): Promise<OwnAccounts> {
    return new OwnAccounts(await this.#base.accounts(faucet, NO_VALIDATOR), [faucet, ...keys]);
  }

  /**
   * Returns the ledger's own accounts after checking that no requested one would replace them; null if
   * nothing is requested.
   *
   * @throws {ServiceError} PROVISION_INVALID.
   */
  async #assertNothingReplaced(
    provided: readonly ProvidedAccounts[],
    faucet: Address,
    keys: readonly Address[] = [],
  ): Promise<OwnAccounts | null> {
    const { clones } = this.#provision;
    const wanted = [
      ...provided.flatMap(({ address, entries, origin }) =>
        [address, ...entries.map(([at]) => at)].map((at): Wanted => [at, origin]),
      ),
      ...(clones === null ? [] : wantedClones(clones)),
    ];
    if (wanted.length === 0) return null;
    const own = await this.#ownAccounts(faucet, keys);
    own.refuse(wanted);
    return own;
  }

  /** Everything to be set on the ledger, after a dry run on the engine. */
  #check(provided: readonly ProvidedAccounts[], cloned: readonly AccountEntry[]): Checked {
    const entries = [...new Map([...cloned, ...provided.flatMap((one) => one.entries)])];
    const providers = new Map(provided.flatMap((one) => one.entries.map(([address]) => [address, one])));
    const nameOf: NameOf = (address) => {
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
    return { entries, nameOf };
  }

  async #clone(isWanted: (address: Address) => boolean, own: OwnAccounts | null): Promise<AccountEntry[]> {
    const { clones } = this.#provision;
    if (clones === null) return [];
    const wanted: CloneList = {
      accounts: clones.accounts.filter(isWanted),
      optional: clones.optional.filter(isWanted),
      programs: clones.programs.filter(isWanted),
      tables: clones.tables.filter(isWanted),
    };
    // A lookup table may list addresses that every ledger has. They are skipped, like those that already
    // exist here.
    const isSkipped = (address: Address): boolean => own?.has(address) === true || !isWanted(address);
    const entries = await cloneAccounts(clones.source, wanted, isSkipped);
    // Where the code of a program is stored is decided by the cluster's account, so check that address too.
    own?.refuse(entries.map(([address]): Wanted => [address, 'the code of a program that is copied']));
    return entries;
  }
}

function wantedClones({ accounts, optional, programs, tables }: CloneList): Wanted[] {
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
  return `The ledger has its own accounts at addresses of a snapshot, and keeps them: ${list}. With --no-genesis-programs a new ledger uses the mints and programs of private payments of the snapshot.`;
}

/**
 * A mint of the ledger itself, with the supply of the snapshot: the snapshot's token accounts hold those
 * tokens.
 */
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

function totalOf(entries: readonly AccountEntry[]): bigint {
  return entries.reduce((total, [, { lamports }]) => total + lamports, 0n);
}

function differingWarning(differing: readonly ProvidedAccounts[]): string {
  const list = differing.map(({ address, origin }) => `${address} (${origin})`).join(', ');
  return `The existing ledger has other accounts at these addresses, and keeps them: ${list}. Start with --reset to create a ledger with the provided accounts.`;
}

function isThere([address, account]: AccountEntry, ledger: Pick<AccountReads, 'getAccount'>): boolean {
  const present = ledger.getAccount(address);
  return present !== null && isSameAccount(present, account);
}

function isSameAccount(one: Account, other: Account): boolean {
  return (
    one.lamports === other.lamports &&
    one.owner === other.owner &&
    one.executable === other.executable &&
    Buffer.compare(one.data, other.data) === 0
  );
}
