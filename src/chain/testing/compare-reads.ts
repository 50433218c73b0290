import { expect } from 'vitest';
import { isServiceError } from '../../errors/service-error.ts';
import { silentLogger } from '../../ports/logger.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { ACCOUNTS_MAX, RpcLedgerClient } from '../upstream/rpc-ledger-client.ts';
import type { UpstreamPorts } from '../upstream/upstream.ts';
import { drawFrom, FaultyCluster, requestsOf } from './faulty-cluster.ts';
import { PlainReads } from './plain-reads.ts';

type Read = (addresses: readonly Address[], token?: string) => Promise<readonly (Account | null)[]>;

/** The outcome of the requests of one turn. */
interface Compared {
  readonly requests: number;
  /** Requests that failed, because of one account or entirely. */
  readonly failures: number;
  readonly calls: number;
  readonly plainCalls: number;
}

/**
 * Sends the same requests to two identical clusters, in shared calls to one and in a call per request to the
 * other, and expects the same answers. The seed determines the clusters, their faults and the requests.
 */
export async function compareReads(seed: number): Promise<Compared> {
  const requests = requestsOf(drawFrom(seed ^ 0x5eed));
  const ask = (read: Read): Promise<Outcome[]> =>
    Promise.all(requests.map(({ addresses, token }) => outcomeOf(read(addresses, token))));
  const shared = new FaultyCluster(seed, drawFrom(seed + 1));
  const node = new RpcLedgerClient('the ledger', shared.urls, 'query', portsOf(shared));
  const plain = new FaultyCluster(seed, drawFrom(seed + 2));
  const oracle = new PlainReads(plain.urls, portsOf(plain));
  const told = await ask((addresses, token) => node.getAccounts(addresses, token));
  const expected = await ask((addresses, token) => oracle.getAccounts(addresses, token));
  const where = `seed ${seed}`;
  // With several URLs the error code depends on which URL was tried last.
  const hasOneUrl = shared.urls.length === 1;
  const wordsOf = ({ text }: Outcome): string => (hasOneUrl || !isFailure(text) ? text : 'failed');
  expect(told.map(wordsOf), where).toEqual(expected.map(wordsOf));
  for (const [at, { slots }] of told.entries()) {
    if ((requests[at]?.addresses.length ?? 0) <= ACCOUNTS_MAX)
      expect(slots.size, where).toBeLessThanOrEqual(1);
  }
  expectOwnCalls(requests, shared);
  return {
    requests: requests.length,
    failures: told.filter(({ text }) => isFailure(text)).length,
    calls: shared.transport.requests.length,
    plainCalls: plain.transport.requests.length,
  };
}

/** Expects every call with a token to carry a single request, made with that token. */
function expectOwnCalls(
  requests: readonly { readonly addresses: readonly Address[]; readonly token?: string }[],
  { transport }: FaultyCluster,
): void {
  const { calls } = transport;
  for (const [at, { url }] of transport.requests.entries()) {
    const token = url.searchParams.get('token');
    if (token === null) continue;
    const owner = requests.find((request) => request.token === token);
    const asked = calls[at]?.params[0] as Address[];
    expect([owner?.addresses.slice(0, ACCOUNTS_MAX), owner?.addresses.slice(ACCOUNTS_MAX)]).toContainEqual(
      asked,
    );
  }
}

const isFailure = (text: string): boolean => text.startsWith('UPSTREAM_');

interface Outcome {
  /** The accounts without their slots, or the error code. */
  readonly text: string;
  readonly slots: ReadonlySet<bigint>;
}

async function outcomeOf(asked: Promise<readonly (Account | null)[]>): Promise<Outcome> {
  try {
    const accounts = await asked;
    const texts = accounts.map(
      (account) =>
        account &&
        `${account.lamports} ${account.owner} ${account.executable} ${Buffer.from(account.data).toString('hex')}`,
    );
    return {
      text: texts.join(),
      slots: new Set(accounts.flatMap((account) => account?.rentEpoch ?? [])),
    };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return { text: error.code, slots: new Set() };
  }
}

/** Creates ports whose clock does not move, so no URL is late. A pause ends with the turn. */
function portsOf({ transport }: FaultyCluster): UpstreamPorts {
  const after = (_ms: number, run: () => void): (() => void) => {
    const waiting = setImmediate(run);
    return () => clearImmediate(waiting);
  };
  const random = { bytes: (length: number) => new Uint8Array(length).fill(0x80) };
  return {
    transport,
    clock: { now: () => 1_000_000 },
    timer: { after: () => () => {} },
    pauses: { after },
    random,
    logger: silentLogger,
  };
}
