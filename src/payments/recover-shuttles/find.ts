import type { Chain, FoundAccount } from '../../chain/chain.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeShuttle, SHUTTLE_METADATA_BYTES } from '../../programs/ephemeral-token/layout-b/shuttle.ts';
import { deriveEata, deriveShuttleMetadata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata, EATA_BYTES_B } from '../../programs/ephemeral-token/state.ts';
import type { Address } from '../../solana/address.ts';

/** An existing shuttle. */
export interface OpenShuttle {
  /** The address of its metadata account, derived from owner, mint and id. */
  readonly shuttle: Address;
  readonly owner: Address;
  readonly mint: Address;
  /** Receives its rent when it is closed. */
  readonly rentRefund: Address;
}

/** Which shuttles are meant. */
interface ShuttleFilter {
  readonly owner?: Address | undefined;
  readonly mint?: Address | undefined;
  /** Their own addresses; nothing is searched for then. */
  readonly shuttles?: readonly Address[] | undefined;
}

/** Shuttles that are looked at for one answer. */
const SHUTTLES_MAX = 128;
/** The same if the mint of each must be searched for: up to two searches each. */
const SEARCHED_MAX = 24;

/** The shuttles found, and the number of shuttles whose tokens were not determined. */
interface FoundShuttles {
  readonly found: readonly OpenShuttle[];
  readonly notLookedAt: number;
}

/** A shuttle whose mint is still unknown: its metadata does not contain it. */
type Candidate = Omit<OpenShuttle, 'mint'> & { readonly id: number };

/**
 * Finds the shuttles on base, optionally those of one owner or mint. Each is verified by deriving its address
 * again.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS if a given address holds something else; UNSUPPORTED_ON_CLUSTER if
 *   the ledger cannot be searched; UPSTREAM_*.
 */
export async function findShuttles(chain: Chain, wish: ShuttleFilter): Promise<FoundShuttles> {
  const all = wish.shuttles ? await readNamed(chain, wish.shuttles) : await search(chain, wish.owner);
  const own = all.filter(({ owner }) => wish.owner === undefined || owner === wish.owner);
  own.sort((a, b) => (a.shuttle < b.shuttle ? -1 : 1));
  const max = wish.mint === undefined ? SEARCHED_MAX : own.length;
  const looked = own.slice(0, max);
  const mints = wish.mint === undefined ? await searchMints(chain, looked) : looked.map(() => wish.mint);
  const found = looked.flatMap(({ id, ...shuttle }, at): OpenShuttle[] => {
    const mint = mints[at] ?? null;
    if (mint === null) return [];
    const derived = deriveShuttleMetadata(shuttle.owner, mint, id).address;
    return derived === shuttle.shuttle ? [{ ...shuttle, mint }] : [];
  });
  return {
    found: found.slice(0, SHUTTLES_MAX),
    notLookedAt: own.length - looked.length + Math.max(0, found.length - SHUTTLES_MAX),
  };
}

async function readNamed(chain: Chain, shuttles: readonly Address[]): Promise<Candidate[]> {
  const accounts = await chain.getAccounts(shuttles);
  return shuttles.map((address, at) => {
    const account = accounts[at] ?? null;
    const candidate = account?.owner === EPHEMERAL_TOKEN_PROGRAM ? candidateOf({ address, account }) : null;
    if (candidate !== null) return candidate;
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      `shuttles contains ${address}, which is not a shuttle: it was closed when its tokens arrived, or never was one`,
      { field: 'shuttles', shuttle: address },
    );
  });
}

async function search(chain: Chain, owner: Address | undefined): Promise<Candidate[]> {
  const found = await searchFor(chain, EPHEMERAL_TOKEN_PROGRAM, SHUTTLE_METADATA_BYTES, owner);
  return found.map(candidateOf).filter((candidate) => candidate !== null);
}

/**
 * An eATA of layout A has the same size. Where a shuttle has its bump, it has a byte of its amount, which is
 * almost always 0.
 */
function candidateOf({ address, account }: FoundAccount): Candidate | null {
  const decoded = decodeShuttle(account.data);
  if (decoded === null || decoded.bump === 0) return null;
  const { owner, rentRefund, id } = decoded;
  return { shuttle: address, owner, rentRefund, id };
}

/** Concurrent searches: a node rejects too many requests at a time. */
const SEARCHES_AT_ONCE = 4;

async function searchMints(chain: Chain, candidates: readonly Candidate[]): Promise<(Address | null)[]> {
  const mints: (Address | null)[] = [];
  while (mints.length < candidates.length) {
    const next = candidates.slice(mints.length, mints.length + SEARCHES_AT_ONCE);
    mints.push(...(await Promise.all(next.map((one) => searchMint(chain, one)))));
  }
  return mints;
}

/** The mint of the eATA that belongs to a shuttle, delegated or not; null if there is none. */
async function searchMint(chain: Chain, { shuttle }: Candidate): Promise<Address | null> {
  for (const program of [EPHEMERAL_TOKEN_PROGRAM, DELEGATION_PROGRAM]) {
    for (const { address, account } of await searchFor(chain, program, EATA_BYTES_B, shuttle)) {
      const mint = decodeEata(account.data)?.mint;
      if (mint !== undefined && deriveEata(shuttle, mint).address === address) return mint;
    }
  }
  return null;
}

/** Errors of a node that does not search the accounts of a program. */
const UNSEARCHED: ReadonlySet<string> = new Set([
  'UPSTREAM_REJECTED',
  'UPSTREAM_INVALID',
  'UPSTREAM_TIMEOUT',
]);

/** The accounts of a program that begin with an address, or all of that size without an address. */
async function searchFor(
  chain: Chain,
  program: Address,
  byteCount: number,
  first: Address | undefined,
): Promise<readonly FoundAccount[]> {
  if (chain.searchAccounts === undefined) {
    throw new ServiceError('UNSUPPORTED_ON_CLUSTER', `Cluster ${chain.cluster} cannot be searched: ${MEND}`, {
      field: 'shuttles',
      cluster: chain.cluster,
    });
  }
  const having = first && { offset: 0, address: first };
  try {
    return await chain.searchAccounts({ program, byteCount, ...(having && { having }) });
  } catch (error) {
    if (!isServiceError(error) || !UNSEARCHED.has(error.code)) throw error;
    const message = `${error.message}. Many RPC nodes do not look through all accounts of a program (getProgramAccounts), or only for a while: ${MEND}`;
    throw new ServiceError(error.code, message, { ...error.context, program }, { cause: error });
  }
}

const MEND =
  'pass owner and mint, which narrows the search, or pass shuttles and mint, which needs no search (explain the transaction that opened the shuttle to get its address); or let the operator configure another RPC';
