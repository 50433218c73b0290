import { isServiceError } from '../../errors/service-error.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/** Reads accounts in one call, at one slot. */
interface AccountReader {
  /** Reads the accounts, and fails if an account is malformed. */
  alone(addresses: readonly Address[]): Promise<readonly (Account | null)[]>;
  /** Reads the accounts, with undefined for a malformed one. */
  together(addresses: readonly Address[]): Promise<readonly (Account | null | undefined)[]>;
}

/** A request in a batch, and the positions of its accounts in the answer. */
interface Member {
  readonly addresses: readonly Address[];
  readonly places: readonly number[];
  readonly resolve: (accounts: readonly (Account | null)[] | Promise<readonly (Account | null)[]>) => void;
  readonly reject: (error: unknown) => void;
}

/** One call for several requests. */
class Batch {
  /** Position of each address in the call. */
  readonly places = new Map<Address, number>();
  readonly members: Member[] = [];

  /** Whether a call of `countMax` addresses also has room for these. */
  hasRoom(addresses: readonly Address[], countMax: number): boolean {
    let count = this.places.size;
    if (count + addresses.length <= countMax) return true;
    for (const address of addresses) if (!this.places.has(address)) count++;
    return count <= countMax;
  }

  join(addresses: readonly Address[]): Promise<readonly (Account | null)[]> {
    const places = addresses.map((address) => this.#placeOf(address));
    return new Promise((resolve, reject) => {
      this.members.push({ addresses, places, resolve, reject });
    });
  }

  #placeOf(address: Address): number {
    const { size } = this.places;
    const known = this.places.get(address);
    if (known === undefined) this.places.set(address, size);
    return known ?? size;
  }
}

/**
 * Combines the account reads of all requests in one turn of the event loop into one call. A request is never
 * split, so all its accounts are from one slot. Requests that do not fit go into another call. The calls are
 * sent at the end of the turn, so no request waits for another.
 *
 * If a call fails because of an account in it, each of its requests is sent separately. Any other error fails
 * all requests of the call.
 */
export class SharedReads {
  readonly #reader: AccountReader;
  readonly #countMax: number;
  /** The batches of this turn. Only the last batch may have room. */
  #batches: Batch[] = [];

  /** @param countMax maximum number of addresses of one call. */
  constructor(reader: AccountReader, countMax: number) {
    this.#reader = reader;
    this.#countMax = countMax;
  }

  /** Reads the accounts at these addresses, at most `countMax`, in their order. Fails like the reader. */
  read(addresses: readonly Address[]): Promise<readonly (Account | null)[]> {
    // Sends after all requests of this turn and before the next reads from sockets, so a single request does
    // not wait for another turn. A tick scheduled by a microtask runs after all microtasks.
    if (this.#batches.length === 0) queueMicrotask(() => process.nextTick(() => this.#sendAll()));
    let batch = this.#batches.at(-1);
    if (batch === undefined || !batch.hasRoom(addresses, this.#countMax)) {
      batch = new Batch();
      this.#batches.push(batch);
    }
    return batch.join(addresses);
  }

  #sendAll(): void {
    const batches = this.#batches;
    this.#batches = [];
    for (const batch of batches) void this.#send(batch);
  }

  async #send({ members, places }: Batch): Promise<void> {
    const [first] = members;
    if (first !== undefined && members.length === 1) {
      first.resolve(this.#reader.alone(first.addresses));
      return;
    }
    try {
      const accounts = await this.#reader.together([...places.keys()]);
      for (const member of members) this.#answer(member, accounts);
    } catch (error) {
      for (const { addresses, resolve, reject } of members) {
        if (isAboutContents(error)) resolve(this.#reader.alone(addresses));
        else reject(error);
      }
    }
  }

  #answer(member: Member, accounts: readonly (Account | null | undefined)[]): void {
    const own = member.places.map((place) => accounts[place]);
    // An account of the request is malformed, so the request is sent separately.
    if (own.includes(undefined)) member.resolve(this.#reader.alone(member.addresses));
    else member.resolve(own as (Account | null)[]);
  }
}

/** Whether an error may concern one account of a call. */
export const isAboutContents = (error: unknown): boolean =>
  isServiceError(error, 'UPSTREAM_INVALID') || isServiceError(error, 'UPSTREAM_REJECTED');
