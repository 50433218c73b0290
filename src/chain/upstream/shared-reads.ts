import { isServiceError } from '../../errors/service-error.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/** Runs a limited number of tasks at a time. The others wait, in order. */
class AtMost {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

/** Reads accounts in one call, at one slot. */
interface AccountReader {
  /** Fails if an account is malformed. */
  alone(addresses: readonly Address[]): Promise<readonly (Account | null)[]>;
  /** A malformed account is undefined. */
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
  /** Every address once, with its position in the call. */
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

/** Maximum number of requests of failed batches that are sent alone at a time. */
export const ALONE_MAX = 8;

/**
 * Reads accounts for all requests of one turn of the event loop in one call. A request is never split, so
 * that its accounts are of one slot; requests that do not fit go into another call. The calls are sent at the
 * end of the turn, so no request waits for another.
 *
 * An error that concerns all requests (a rate limit, a node that is behind) fails all requests of the call.
 * If an error may concern one account, each request is sent alone, at most {@link ALONE_MAX} at a time. If a
 * single account is malformed, only the requests for it are sent alone.
 *
 * After a time-out or a broken answer, the upstream may be down. Once {@link ALONE_MAX} requests in a row
 * have failed alone, only one at a time is sent, and the others fail with the error of their call.
 */
export class SharedReads {
  readonly #reader: AccountReader;
  readonly #countMax: number;
  readonly #alone = new AtMost(ALONE_MAX);
  /** Number of requests being sent alone after their batch failed. */
  #aloneCount = 0;
  /** Failures since the last answer that may be an outage. */
  #failuresInARow = 0;
  /** The batches of this turn. Only the last one may have room. */
  #batches: Batch[] = [];

  /** @param countMax maximum number of addresses of one call. */
  constructor(reader: AccountReader, countMax: number) {
    this.#reader = reader;
    this.#countMax = countMax;
  }

  /** The accounts at these addresses, at most `countMax`, in their order. Fails as the reader does. */
  read(addresses: readonly Address[]): Promise<readonly (Account | null)[]> {
    // Sends after all requests of this turn and before sockets are read again, so that a single request does
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
      first.resolve(this.#ask(first.addresses));
      return;
    }
    try {
      const accounts = await this.#reader.together([...places.keys()]);
      this.#failuresInARow = 0;
      for (const member of members) this.#answer(member, accounts);
    } catch (error) {
      const asksAlone = isAboutContents(error) || mayBeOutage(error);
      for (const { addresses, resolve, reject } of members) {
        if (asksAlone) resolve(this.#alone.run(() => this.#askAgain(addresses, error)));
        else reject(error);
      }
    }
  }

  #answer(member: Member, accounts: readonly (Account | null | undefined)[]): void {
    const own: (Account | null)[] = [];
    for (const place of member.places) {
      const account = accounts[place];
      if (account === undefined) return member.resolve(this.#alone.run(() => this.#ask(member.addresses)));
      own.push(account);
    }
    member.resolve(own);
  }

  /** Sends a request alone, or fails with the error of its batch while the upstream seems to be down. */
  async #askAgain(addresses: readonly Address[], failure: unknown): Promise<readonly (Account | null)[]> {
    const seemsDown = mayBeOutage(failure) && this.#failuresInARow >= ALONE_MAX;
    if (seemsDown && this.#aloneCount > 0) throw failure;
    this.#aloneCount++;
    try {
      return await this.#ask(addresses);
    } catch (error) {
      if (mayBeOutage(error)) this.#failuresInARow++;
      throw error;
    } finally {
      this.#aloneCount--;
    }
  }

  async #ask(addresses: readonly Address[]): Promise<readonly (Account | null)[]> {
    const accounts = await this.#reader.alone(addresses);
    this.#failuresInARow = 0;
    return accounts;
  }
}

/** Whether an error may concern one account of a call. */
export const isAboutContents = (error: unknown): boolean =>
  isServiceError(error, 'UPSTREAM_INVALID') || isServiceError(error, 'UPSTREAM_REJECTED');

/**
 * Whether an error may be an outage. A node that is behind is not down.
 */
const mayBeOutage = (error: unknown): boolean =>
  isServiceError(error, 'UPSTREAM_TIMEOUT') ||
  (isServiceError(error, 'UPSTREAM_UNAVAILABLE') && error.context['slotsBehind'] === undefined);
