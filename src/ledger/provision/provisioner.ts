import { ServiceError } from '../../errors/service-error.ts';
import { STAKE_PROGRAM, SYSTEM_PROGRAM, VOTE_PROGRAM } from '../../programs/addresses.ts';
import { decodeMint } from '../../programs/token/state.ts';
import { isTokenProgram } from '../../programs/token/token-program.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { EmbeddedLedger } from '../embedded-ledger.ts';
import type { AccountEntry, Genesis } from '../genesis/genesis.ts';
import type { ValidatorAddresses } from '../genesis/staked-validator.ts';
import type { Ledger } from '../ledger.ts';
import type { LedgerOperator } from '../operator.ts';
import { ACCOUNTS_BYTES_MAX } from '../run/data-ceiling.ts';
import { assertBytesFit } from './assert-bytes-fit.ts';
import { assertLamportsFit } from './assert-lamports-fit.ts';
import { cloneAccounts, type CloneList } from './clone-accounts.ts';
import { inEngineOrder } from './engine-risk.ts';
import { readProvidedAccounts, type ProvidedAccounts } from './provided-accounts.ts';
import { shapeAccounts, shapeWarnings } from './ledger-shape.ts';
import { OwnAccounts, type Wanted } from './own-accounts.ts';
import type { Provision } from './provision.ts';
import { dryRunAccounts } from './dry-run.ts';

/** Where SPL Token's `Mint` keeps how many base units exist, u64. */
const SUPPLY_AT = 36;

/** What a genesis is asked with. */
type GenesisKeys = Parameters<Genesis['accounts']>;

/** In place of a validator whose keys are drawn later: its accounts hold what they will hold. */
const NO_VALIDATOR: ValidatorAddresses = {
  identity: SYSTEM_PROGRAM,
  vote: VOTE_PROGRAM,
  stake: STAKE_PROGRAM,
};

/** A genesis that can be read ahead, before the ledger that it is to replace is thrown away. */
interface PreparedGenesis extends Genesis {
  /**
   * Reads and tries everything that the next new ledger begins with, which is then made of what was found.
   *
   * @throws {ServiceError} as `accounts`.
   */
  prepare(): Promise<void>;
}

/** What an account is called in messages. */
type NameOf = (address: Address) => string;

/** Accounts to put on a ledger, and what to call them. */
interface Checked {
  readonly entries: readonly AccountEntry[];
  readonly nameOf: NameOf;
}

/** What a new ledger begins with besides its own. */
interface Ready extends Checked {
  /** By which its shape is known. */
  readonly shape: readonly AccountEntry[];
}

/**
 * Puts what the operator gives on a ledger. A new one, and one that is reset, begins with it besides its own.
 * On one that is kept, every start adds the accounts that do not exist (any more), and those that do are left
 * as they are; `complete` says which of the files they differ from. What was copied from a cluster once is
 * not read from there again. What a ledger has of its own is never replaced.
 */
export class Provisioner {
  readonly #provision: Provision;
  readonly #base: Genesis;
  readonly #accountsBytesMax: number;
  /** Whether a new ledger was made with the provided accounts. */
  #isNew = false;
  readonly #warnings: string[] = [];
  /** Accounts of snapshots that the ledger has of its own. */
  #left: ReadonlyMap<Address, Account> = new Map();

  /**
   * @param base what a new ledger begins with in any case.
   * @param accountsBytesMax bytes of data its accounts may have together; 1 GiB when left out.
   */
  constructor(provision: Provision, base: Genesis, accountsBytesMax = ACCOUNTS_BYTES_MAX) {
    this.#provision = provision;
    this.#base = base;
    this.#accountsBytesMax = accountsBytesMax;
  }

  /**
   * The genesis of a new ledger with the provided accounts. Its accounts throw ServiceError
   * PROVISION_INVALID, UPSTREAM_* and LEDGER_FULL when something cannot be had or loaded, or would replace
   * what is the ledger's own: then there is no new ledger.
   */
  genesis(): PreparedGenesis {
    const base = this.#base;
    let prepared: Ready | null = null;
    let preparedSlot: number | null = null;
    const readFirstSlot = async (): Promise<number | null> => (await base.firstSlot?.()) ?? null;
    const read = async (faucet: Address): Promise<Ready> => {
      const shape = await shapeAccounts(this.#provision.shape);
      const { provided, own } = await this.#readProvided(faucet);
      return { ...(await this.#check(provided, await this.#clone(() => true, own))), shape };
    };
    const merge = async (keys: GenesisKeys, { entries, nameOf, shape }: Ready): Promise<AccountEntry[]> => {
      const own = [...(await base.accounts(...keys))].map((entry) => withSupplyOf(this.#left, entry));
      const merged = [...own, ...shape, ...entries];
      assertLamportsFit(entries, totalOf(merged), nameOf);
      assertBytesFit(entries, merged, this.#accountsBytesMax);
      return merged;
    };
    return {
      prepare: async () => {
        preparedSlot = await readFirstSlot();
        // Whose the faucet and the validator are makes no difference to what can go wrong: the key of a new
        // ledger is drawn later.
        prepared = await read(SYSTEM_PROGRAM);
        await merge([SYSTEM_PROGRAM, NO_VALIDATOR], prepared);
      },
      accounts: async (faucet, validator) => {
        const provided = prepared ?? (await read(faucet));
        prepared = null;
        const entries = await merge([faucet, validator], provided);
        this.#isNew = true;
        return inEngineOrder(entries);
      },
      firstSlot: async () => {
        const slot = preparedSlot ?? (await readFirstSlot());
        preparedSlot = null;
        return slot;
      },
    };
  }

  /**
   * Adds to an open ledger what it lacks, durably, and answers what the operator should know. Of what is to
   * be copied from a cluster only that is read which the ledger does not have.
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
    const { entries, nameOf } = await this.#check(missing, await this.#clone(isMissing, own));
    assertLamportsFit(entries, ledger.totalLamports() + totalOf(entries), nameOf);
    if (entries.length > 0) await operator.setAccounts(inEngineOrder(entries));
    const kept = provided.filter((one) => one.entries.some((entry) => !isThere(entry, ledger)));
    if (kept.length > 0) this.#warnings.push(keptWarning(kept));
    this.#warnings.push(...shapeWarnings(this.#provision.shape, ledger));
    return this.#warnings;
  }

  /** The provided accounts, without those of a snapshot that the ledger has of its own. */
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
    const left = snapshots.filter(({ address }) => others.has(address));
    this.#left = new Map(left.flatMap(({ entries }) => entries));
    if (left.length > 0) this.#warnings.push(leftWarning(left));
    return { provided: all.filter((one) => !left.includes(one)), own: others };
  }

  async #ownAccounts(faucet: Address, keys: readonly Address[]): Promise<OwnAccounts> {
    return new OwnAccounts({
      seeded: await this.#base.accounts(faucet, NO_VALIDATOR),
      keys: [faucet, ...keys],
    });
  }

  /**
   * Answers what the ledger has of its own, once nothing that is asked for would take its place; null where
   * nothing is asked for.
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

  /** Everything that is to be put on the ledger, once it is known that the engine can bear it. */
  async #check(provided: readonly ProvidedAccounts[], cloned: readonly AccountEntry[]): Promise<Checked> {
    const entries = [...new Map([...cloned, ...provided.flatMap((one) => one.entries)])];
    const givers = new Map(provided.flatMap((one) => one.entries.map(([address]) => [address, one])));
    const nameOf: NameOf = (address) => {
      const giver = givers.get(address);
      return giver === undefined ? `--clone ${address}` : `${address} of ${giver.origin}`;
    };
    const { uncallable } = await dryRunAccounts(entries, nameOf);
    for (const address of uncallable) {
      const what = `${nameOf(address)} cannot be called: the engine does not load its code`;
      if (givers.get(address)?.isProgramFile === true) {
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
    // A table may name what every ledger has: it is passed over, as what the ledger has already.
    const isLeft = (address: Address): boolean => own?.has(address) === true || !isWanted(address);
    const entries = await cloneAccounts(clones.source, wanted, isLeft);
    // Where the code of a program lies is the cluster's word.
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

function leftWarning(left: readonly ProvidedAccounts[]): string {
  const list = left.map(({ address, origin }) => `${address} (${origin})`).join(', ');
  return `The ledger has accounts of its own where a snapshot has others, and keeps them: ${list}. With --no-genesis-programs a new ledger takes mints and programs of private payments from the snapshot.`;
}

/**
 * A mint of the ledger's own with as many base units as a snapshot says there are: its token accounts hold
 * them.
 */
function withSupplyOf(left: ReadonlyMap<Address, Account>, [address, account]: AccountEntry): AccountEntry {
  const other = left.get(address);
  const isMint = isTokenProgram(account.owner) && decodeMint(account.data) !== null;
  if (!isMint || other?.owner !== account.owner || decodeMint(other.data) === null) return [address, account];
  const data = new Uint8Array(account.data);
  data.set(other.data.subarray(SUPPLY_AT, SUPPLY_AT + 8), SUPPLY_AT);
  return [address, { ...account, data }];
}

function totalOf(entries: readonly AccountEntry[]): bigint {
  return entries.reduce((total, [, { lamports }]) => total + lamports, 0n);
}

function keptWarning(kept: readonly ProvidedAccounts[]): string {
  const list = kept.map(({ address, origin }) => `${address} (${origin})`).join(', ');
  return `The kept ledger has accounts of its own where others are given, and keeps them: ${list}. Start with --reset to begin with those that are given.`;
}

function isThere([address, account]: AccountEntry, ledger: Pick<Ledger, 'getAccount'>): boolean {
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
