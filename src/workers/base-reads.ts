import type { LatestBlockhash } from '../chain/chain.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { CallClient } from './call-client.ts';
import type { BaseReading, ChainCalls } from './chain-calls.ts';
import { splitAddresses } from './joined-addresses.ts';
import type { LedgerMemory } from './ledger-memory.ts';
import { unpackAccounts } from './packed-accounts.ts';

/** The reads of one message. */
interface Batch {
  readonly addresses: Address[];
  readonly eatas: Address[];
  readonly answer: Promise<Answer>;
}

interface Answer {
  readonly accounts: readonly (Account | null)[];
  readonly settling: ReadonlySet<Address>;
  readonly head: LatestBlockhash | null;
}

/**
 * Reads from the base ledger what a worker has not cached, and which eATAs are settling. All reads of one
 * message are one call, however many requests share it: a call costs as much as what it reads.
 */
export class BaseReads {
  readonly #client: CallClient<ChainCalls>;
  readonly #memory: LedgerMemory;
  readonly #isShared: boolean;
  #batch: Batch | undefined;

  /** `isShared` unless one read may take much longer than another, which would have to wait for it. */
  constructor(client: CallClient<ChainCalls>, memory: LedgerMemory, isShared: boolean) {
    this.#client = client;
    this.#memory = memory;
    this.#isShared = isShared;
  }

  /** The accounts at these addresses as of one moment. */
  async accounts(addresses: readonly Address[]): Promise<readonly (Account | null)[]> {
    const known = this.#memory.accounts(addresses);
    if (known !== undefined) return known;
    const batch = this.#join();
    const start = batch.addresses.length;
    for (const address of addresses) batch.addresses.push(address);
    const { accounts } = await batch.answer;
    return accounts.slice(start, start + addresses.length);
  }

  /** Whether the rollup is settling an eATA; only where the rollup reports it. */
  async isSettling(eata: Address): Promise<boolean> {
    if (this.#memory.isKnownNotToSettle(eata)) return false;
    const batch = this.#join();
    batch.eatas.push(eata);
    return (await batch.answer).settling.has(eata);
  }

  /** A blockhash that was the newest a moment ago. */
  async latestBlockhash(): Promise<LatestBlockhash> {
    const known = this.#memory.head();
    if (known !== null) return known;
    const { head } = await this.#join().answer;
    // If it lacks the blockhash, a call for the blockhash alone reports why.
    return head ?? (await this.#client.call('latestBlockhash', 'base'));
  }

  #join(): Batch {
    if (this.#batch !== undefined) return this.#batch;
    const addresses: Address[] = [];
    const eatas: Address[] = [];
    const reading = this.#client.callLate('readBase', () => {
      this.#batch = undefined;
      return [addresses.join(), eatas.join()];
    });
    const answer = reading.then((found) => this.#keep(addresses, eatas, found));
    const batch = { addresses, eatas, answer };
    if (this.#isShared) this.#batch = batch;
    return batch;
  }

  #keep(addresses: readonly Address[], eatas: readonly Address[], reading: BaseReading): Answer {
    const [version, packed, settlingText, head] = reading;
    const accounts = unpackAccounts(packed);
    const settling = new Set(splitAddresses(settlingText));
    if (head !== null) this.#memory.keepHead(version, head);
    this.#memory.keepAccounts(version, addresses, accounts);
    for (const eata of eatas) if (!settling.has(eata)) this.#memory.keepNotSettling(version, eata);
    return { accounts, settling, head };
  }
}
