import { ServiceError } from '../../errors/service-error.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountEntry, Genesis } from '../genesis/genesis.ts';
import type { Ledger } from '../ledger.ts';
import type { LedgerOperator } from '../operator.ts';
import { cloneAccounts, type CloneList } from './clone-accounts.ts';
import { inEngineOrder } from './engine-risk.ts';
import { readGivenAccounts, type GivenAccounts } from './given-accounts.ts';
import type { Provision } from './provision.ts';
import { tryAccounts } from './try-accounts.ts';

/**
 * Puts what the operator gives on a ledger. On a new one, and when it is reset, it takes the place of what the ledger
 * begins with. On one that is kept, every start adds the accounts that do not exist (any more), and those that do are
 * left as they are; `complete` says which of the files they differ from. What was copied from a cluster once is not read
 * from there again.
 */
export class Provisioner {
  readonly #provision: Provision;
  /** Whether a new ledger was made with what is given. */
  #isNew = false;
  readonly #warnings: string[] = [];

  constructor(provision: Provision) {
    this.#provision = provision;
  }

  /**
   * `base` with what is given, which takes the place of accounts at the same address. Its accounts throw ServiceError
   * PROVISION_INVALID and UPSTREAM_* when something cannot be had or loaded: then there is no new ledger.
   */
  genesis(base: Genesis): Genesis {
    return {
      accounts: async (faucet) => {
        const given = readGivenAccounts(this.#provision);
        const cloned = await this.#clone(() => true);
        const entries = new Map(await base.accounts(faucet));
        for (const [address, account] of await this.#check(given, cloned)) entries.set(address, account);
        this.#isNew = true;
        return inEngineOrder([...entries]);
      },
    };
  }

  /**
   * Adds to an open ledger what it lacks, durably, and answers what the operator should know. Of what is to be copied
   * from a cluster only that is read which the ledger does not have.
   *
   * @throws {ServiceError} PROVISION_INVALID, UPSTREAM_*.
   */
  async complete(ledger: Pick<Ledger, 'getAccount'>, operator: LedgerOperator): Promise<readonly string[]> {
    if (this.#isNew) return this.#warnings;
    const isMissing = (address: Address): boolean => ledger.getAccount(address) === null;
    const given = readGivenAccounts(this.#provision);
    const missing = given.filter(({ address }) => isMissing(address));
    const added = await this.#check(missing, await this.#clone(isMissing));
    if (added.length > 0) await operator.setAccounts(inEngineOrder(added));
    const kept = given.filter((one) => one.entries.some((entry) => !isThere(entry, ledger)));
    if (kept.length > 0) this.#warnings.push(keptWarning(kept));
    return this.#warnings;
  }

  /** Everything that is to be put on the ledger, once it is known that the engine can bear it. */
  async #check(given: readonly GivenAccounts[], cloned: readonly AccountEntry[]): Promise<AccountEntry[]> {
    const entries = new Map([...cloned, ...given.flatMap((one) => one.entries)]);
    const givers = new Map(given.flatMap((one) => one.entries.map(([address]) => [address, one])));
    const nameOf = (address: Address): string => {
      const giver = givers.get(address);
      return giver === undefined ? `--clone ${address}` : `${address} of ${giver.origin}`;
    };
    const { uncallable } = await tryAccounts([...entries], nameOf);
    for (const address of uncallable) {
      const what = `${nameOf(address)} cannot be called: the engine does not load its code`;
      if (givers.get(address)?.isProgramFile === true) {
        throw new ServiceError('PROVISION_INVALID', what, { account: address });
      }
      this.#warnings.push(what);
    }
    return [...entries];
  }

  async #clone(isWanted: (address: Address) => boolean): Promise<AccountEntry[]> {
    const { clones } = this.#provision;
    if (clones === null) return [];
    const wanted: CloneList = {
      accounts: clones.accounts.filter(isWanted),
      optional: clones.optional.filter(isWanted),
      programs: clones.programs.filter(isWanted),
    };
    return await cloneAccounts(clones.source, wanted);
  }
}

function keptWarning(kept: readonly GivenAccounts[]): string {
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
