import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../errors/codes.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { SharedReads } from './shared-reads.ts';

const addressAt = (index: number): Address =>
  addressOf(Uint8Array.from({ length: 32 }, (_, i) => (i < 2 ? index >> (8 * i) : 1)));
const addressesAt = (...indices: number[]): Address[] => indices.map(addressAt);

/** An account whose lamports tell which address it was read at. */
const accountAt = (index: number): Account => ({
  lamports: BigInt(index),
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(),
  executable: false,
  rentEpoch: 0n,
});

/** A ledger of 200 accounts that keeps what it was asked; `spoiled` make no sense, `absent` are not there. */
class ScriptedReader {
  readonly calls: (readonly Address[])[] = [];
  readonly spoiled = new Set<Address>();
  readonly absent = new Set<Address>();
  /** The error of calls for several requests. */
  failure: ServiceError | null = null;
  /** Accounts that every call fails over, and what it fails with. */
  readonly huge = new Map<Address, ErrorCode>();
  readonly #known = new Map(Array.from({ length: 200 }, (_, index) => [addressAt(index), accountAt(index)]));

  async together(addresses: readonly Address[]) {
    this.calls.push(addresses);
    this.#refuse(addresses);
    if (this.failure !== null) throw this.failure;
    return addresses.map((address) => (this.spoiled.has(address) ? undefined : this.#at(address)));
  }

  async alone(addresses: readonly Address[]) {
    this.calls.push(addresses);
    this.#refuse(addresses);
    if (addresses.some((address) => this.spoiled.has(address))) throw failureOf('UPSTREAM_INVALID');
    return addresses.map((address) => this.#at(address));
  }

  #refuse(addresses: readonly Address[]): void {
    for (const address of addresses) {
      const code = this.huge.get(address);
      if (code !== undefined) throw failureOf(code);
    }
  }

  #at(address: Address): Account | null {
    return this.absent.has(address) ? null : (this.#known.get(address) ?? null);
  }
}

const failureOf = (code: ErrorCode): ServiceError => new ServiceError(code, `failed with ${code}`);

function open() {
  const reader = new ScriptedReader();
  return { reader, reads: new SharedReads(reader, 100) };
}

const outcomeOf = async (asked: Promise<readonly (Account | null)[]>): Promise<string> =>
  asked.then(
    (accounts) => accounts.map((account) => account?.lamports ?? 'none').join(),
    (error: unknown) => (error as ServiceError).code,
  );

describe('SharedReads', () => {
  it('reads all requests of a turn in one call, each address once, and answers each in its order', async () => {
    const { reader, reads } = open();
    reader.absent.add(addressAt(3));
    const asked = [addressesAt(1, 2), addressesAt(2, 3, 1), addressesAt(4, 4)].map((each) =>
      outcomeOf(reads.read(each)),
    );
    expect(await Promise.all(asked)).toEqual(['1,2', '2,none,1', '4,4']);
    expect(reader.calls).toEqual([addressesAt(1, 2, 3, 4)]);
  });

  it('sends all requests of one turn before it reads the sockets again', async () => {
    const { reader, reads } = open();
    const outcomes: Promise<string>[] = [];
    const ask = (index: number): void => void outcomes.push(outcomeOf(reads.read(addressesAt(index))));
    const callsAtNextTurn = await new Promise<number>((resolve) => {
      setImmediate(() => {
        setImmediate(() => resolve(reader.calls.length));
        ask(1);
        // What a request waits for is mostly at hand.
        void Promise.resolve().then(async () => ask(await Promise.resolve(2)));
      });
    });
    await Promise.all(outcomes);
    expect(reader.calls).toEqual([addressesAt(1, 2)]);
    expect(callsAtNextTurn).toBe(1);
  });

  it('never splits a request: one that does not fit goes into the next call whole', async () => {
    const { reader, reads } = open();
    const sixty = Array.from({ length: 60 }, (_, index) => index);
    const requests = [sixty, sixty.map((index) => index + 40), [...sixty.slice(0, 9), 100], [101]];
    const outcomes = await Promise.all(requests.map((each) => outcomeOf(reads.read(addressesAt(...each)))));
    expect(outcomes).toEqual(requests.map((each) => each.join()));
    expect(reader.calls.map(({ length }) => length)).toEqual([100, 11]);
  });

  it('fails only the requests for a malformed account', async () => {
    const { reader, reads } = open();
    reader.spoiled.add(addressAt(7));
    const asked = [[1, 2], [2, 7], [7], [3]].map((each) => outcomeOf(reads.read(addressesAt(...each))));
    expect(await Promise.all(asked)).toEqual(['1,2', 'UPSTREAM_INVALID', 'UPSTREAM_INVALID', '3']);
    expect(reader.calls).toEqual([addressesAt(1, 2, 7, 3), addressesAt(2, 7), addressesAt(7)]);
  });

  it.each(['UPSTREAM_INVALID', 'UPSTREAM_REJECTED'] as const)(
    'sends each request alone after %s, which may concern one account of the call',
    async (code) => {
      const { reader, reads } = open();
      reader.failure = failureOf(code);
      const asked = [[1], [2, 3]].map((each) => outcomeOf(reads.read(addressesAt(...each))));
      expect(await Promise.all(asked)).toEqual(['1', '2,3']);
      expect(reader.calls).toHaveLength(3);
    },
  );

  it.each([
    failureOf('UPSTREAM_RATE_LIMITED'),
    failureOf('UPSTREAM_TIMEOUT'),
    failureOf('UPSTREAM_UNAVAILABLE'),
    new ServiceError('UPSTREAM_UNAVAILABLE', 'the node is behind', { slotsBehind: 3 }),
  ])('fails all requests after an error that concerns all ($message), without a retry', async (failure) => {
    const { reader, reads } = open();
    reader.failure = failure;
    const asked = [[1], [2, 3]].map((each) => outcomeOf(reads.read(addressesAt(...each))));
    expect(await Promise.all(asked)).toEqual([failure.code, failure.code]);
    expect(reader.calls).toHaveLength(1);
  });

  it('sends a single request of a turn as its own call', async () => {
    const { reader, reads } = open();
    reader.spoiled.add(addressAt(7));
    expect(await outcomeOf(reads.read(addressesAt(7)))).toBe('UPSTREAM_INVALID');
    expect(reader.calls).toHaveLength(1);
  });

  /** Asks for each in one turn. */
  const askFor = (reads: SharedReads, ...requests: number[][]): Promise<string[]> =>
    Promise.all(requests.map((each) => outcomeOf(reads.read(addressesAt(...each)))));

  describe.each(['UPSTREAM_INVALID', 'UPSTREAM_REJECTED'] as const)(
    'an account that fails every call with %s',
    (code) => {
      it('fails only the requests for it', async () => {
        const { reader, reads } = open();
        reader.huge.set(addressAt(7), code);
        expect(await askFor(reads, [7, 1], [2], [3])).toEqual([code, '2', '3']);
      });
    },
  );
});
