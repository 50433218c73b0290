import type { Account } from '../../solana/account.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import type { NumberedCommit } from './recent-commits.ts';

type Listener = (address: Address, account: Account | null) => void;

/** The last committed state of an account; null if it is gone. */
interface Pending {
  /** The number of the commit. */
  readonly sequence: number;
  readonly account: Account | null;
}

/** The accounts whose last commit the database lacks. */
export class PendingAccounts {
  readonly #pending = new Map<Address, Pending>();
  /** By the genesis hash of the ledger they are told of: of the present one, and of others that may begin. */
  readonly #listeners = new Map<string, Listener>();

  has(address: Address): boolean {
    return this.#pending.has(address);
  }

  *entries(): Iterable<readonly [Address, Account | null]> {
    for (const [address, { account }] of this.#pending) yield [address, account];
  }

  /** Notes what a commit changes, when it is accepted. */
  note(sequence: number, address: Address, account: Account | null): void {
    this.#pending.set(address, { sequence, account });
  }

  /** A new ledger begins, and nobody is told any more of the one before, nor of others that did not begin. */
  begin(genesisHash: string): void {
    this.#pending.clear();
    for (const hash of this.#listeners.keys()) if (hash !== genesisHash) this.#listeners.delete(hash);
  }

  /**
   * One for each ledger: the one that is there goes on when another cannot begin after all. Returns how to
   * have it told nothing more.
   */
  onSettled(genesisHash: string, listener: Listener): () => void {
    this.#listeners.set(genesisHash, listener);
    return () => {
      if (this.#listeners.get(genesisHash) === listener) this.#listeners.delete(genesisHash);
    };
  }

  /** Settles the accounts that no later commit changed. */
  settle(commits: readonly NumberedCommit[]): void {
    for (const { sequence, commit } of commits) {
      for (const { address: bytes } of commit.accounts) {
        const address = addressOf(bytes);
        const pending = this.#pending.get(address);
        if (pending?.sequence !== sequence) continue;
        this.#pending.delete(address);
        for (const tell of this.#listeners.values()) tell(address, pending.account);
      }
    }
  }
}
