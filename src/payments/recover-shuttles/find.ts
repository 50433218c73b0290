import type { Chain, FoundAccount } from '../../chain/chain.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { decodeShuttle, SHUTTLE_METADATA_BYTES } from '../../programs/ephemeral-token/layout-b/shuttle.ts';
import { deriveEata, deriveShuttleMetadata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata, EATA_BYTES_B } from '../../programs/ephemeral-token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { deriveMintVault, type MintVault } from '../accounts/deposit-accounts.ts';
import { checkTokenAccount, isProgramAccount } from '../accounts/token-account.ts';
import { type MintFacts, readMint } from '../mints/mint-facts.ts';
import { type MintTerms, readMintTerms, requireMovable, untilResumed } from '../mints/mint-terms.ts';
import { type EataStatus, eataStatusOf } from '../rollup-state/eata-status.ts';

interface OpenShuttle {
  /** The address of the shuttle's metadata account, derived from owner, mint and id. */
  readonly shuttle: Address;
  readonly owner: Address;
  readonly mint: Address;
  /** The account that receives the rent when the shuttle is closed. */
  readonly rentRefund: Address;
}

interface ShuttleFilter {
  readonly owner?: Address | undefined;
  readonly mint?: Address | undefined;
  /** Addresses of shuttles to read instead of searching. */
  readonly shuttles?: readonly Address[] | undefined;
}

/** Maximum number of shuttles in one response. */
const SHUTTLES_MAX = 128;
/** Maximum number of shuttles whose mints must be searched for, with up to two searches per shuttle. */
const SEARCHED_MAX = 24;

interface FoundShuttles {
  readonly found: readonly OpenShuttle[];
  readonly unexamined: number;
}

/** A shuttle with an unknown mint, which its metadata does not contain. */
type Candidate = Omit<OpenShuttle, 'mint'> & { readonly id: number };

/**
 * Finds the shuttles on base, optionally of one owner or mint. Each is verified by deriving its address
 * again.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS if a specified address is not a shuttle; UNSUPPORTED_ON_CLUSTER if
 *   the ledger cannot be searched; UPSTREAM_*.
 */
export async function findShuttles(chain: Chain, filter: ShuttleFilter): Promise<FoundShuttles> {
  const all = filter.shuttles ? await readNamed(chain, filter.shuttles) : await search(chain, filter.owner);
  const own = all.filter(({ owner }) => filter.owner === undefined || owner === filter.owner);
  own.sort((a, b) => (a.shuttle < b.shuttle ? -1 : 1));
  const max = filter.mint === undefined ? SEARCHED_MAX : own.length;
  const looked = own.slice(0, max);
  const mints = filter.mint === undefined ? await searchMints(chain, looked) : looked.map(() => filter.mint);
  const found = looked.flatMap(({ id, ...shuttle }, at): OpenShuttle[] => {
    const mint = mints[at] ?? null;
    if (mint === null) return [];
    const derived = deriveShuttleMetadata(shuttle.owner, mint, id).address;
    return derived === shuttle.shuttle ? [{ ...shuttle, mint }] : [];
  });
  return {
    found: found.slice(0, SHUTTLES_MAX),
    unexamined: own.length - looked.length + Math.max(0, found.length - SHUTTLES_MAX),
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
      `shuttles contains ${address}, which is not a shuttle, or one that was closed when its tokens arrived: remove it`,
      { field: 'shuttles', shuttle: address },
    );
  });
}

async function search(chain: Chain, owner: Address | undefined): Promise<Candidate[]> {
  const found = await searchFor(chain, EPHEMERAL_TOKEN_PROGRAM, SHUTTLE_METADATA_BYTES, owner);
  return found.map(candidateOf).filter((candidate) => candidate !== null);
}

/**
 * Decodes a candidate. An eATA of layout A has the same size, but a byte of its amount, which is almost
 * always 0, is at the offset of a shuttle's bump.
 */
function candidateOf({ address, account }: FoundAccount): Candidate | null {
  const decoded = decodeShuttle(account.data);
  if (decoded === null || decoded.bump === 0) return null;
  const { owner, rentRefund, id } = decoded;
  return { shuttle: address, owner, rentRefund, id };
}

/** Maximum concurrent searches, because nodes reject too many at once. */
const SEARCHES_AT_ONCE = 4;

async function searchMints(chain: Chain, candidates: readonly Candidate[]): Promise<(Address | null)[]> {
  const mints: (Address | null)[] = [];
  while (mints.length < candidates.length) {
    const next = candidates.slice(mints.length, mints.length + SEARCHES_AT_ONCE);
    mints.push(...(await Promise.all(next.map((one) => searchMint(chain, one)))));
  }
  return mints;
}

/** Searches for the mint of a shuttle's eATA, delegated or not; null if there is none. */
async function searchMint(chain: Chain, { shuttle }: Candidate): Promise<Address | null> {
  for (const program of [EPHEMERAL_TOKEN_PROGRAM, DELEGATION_PROGRAM]) {
    for (const { address, account } of await searchFor(chain, program, EATA_BYTES_B, shuttle)) {
      const mint = decodeEata(account.data)?.mint;
      if (mint !== undefined && deriveEata(shuttle, mint).address === address) return mint;
    }
  }
  return null;
}

/** Error codes from nodes that do not support searching a program's accounts. */
const UNSEARCHED: ReadonlySet<string> = new Set([
  'UPSTREAM_REJECTED',
  'UPSTREAM_INVALID',
  'UPSTREAM_TIMEOUT',
]);

/** Finds a program's accounts of one size: those that begin with the address `first`, or else all. */
async function searchFor(
  chain: Chain,
  program: Address,
  byteCount: number,
  first: Address | undefined,
): Promise<readonly FoundAccount[]> {
  if (chain.searchAccounts === undefined) {
    throw new ServiceError(
      'UNSUPPORTED_ON_CLUSTER',
      `Cluster ${chain.cluster} cannot be searched: ${SEARCH_ADVICE}`,
      {
        field: 'shuttles',
        cluster: chain.cluster,
      },
    );
  }
  const having = first && { offset: 0, address: first };
  try {
    return await chain.searchAccounts({ program, byteCount, ...(having && { having }) });
  } catch (error) {
    if (!isServiceError(error) || !UNSEARCHED.has(error.code)) throw error;
    const message = `${error.message}. Many RPC nodes do not search all accounts of a program (getProgramAccounts), or stop early: ${SEARCH_ADVICE}`;
    throw new ServiceError(error.code, message, { ...error.context, program }, { cause: error });
  }
}

const SEARCH_ADVICE =
  'pass owner and mint, which narrows the search, or pass shuttles and mint, which needs no search (explain the transaction that opened the shuttle to get its address); or ask the operator to configure another RPC';

/** A shuttle with all accounts that its recovery uses. */
export interface RecoverableShuttle extends OpenShuttle, MintVault {
  readonly tokenProgram: Address;
  readonly eata: Address;
  readonly record: Address;
  readonly walletAta: Address;
  readonly ownerAta: Address;
}

/** The state of a shuttle. */
export interface ShuttleState extends OpenShuttle {
  readonly facts: MintFacts | null;
  /**
   * Amount in the shuttle's eATA and ATA on base, in base units. The balance of a delegated eATA is visible
   * only on the rollup.
   */
  readonly amount: bigint;
  /** The validator that the shuttle is delegated to; null if there is no validator or it is unknown. */
  readonly delegatedTo: Address | null;
  /** The recovery; null if it is not possible now. */
  readonly recovery: { readonly accounts: RecoverableShuttle; readonly createsOwnerAta: boolean } | null;
  /** Reason why the shuttle cannot be recovered now, as a sentence; null if it can be recovered. */
  readonly why: string | null;
}

/**
 * Reads the state of non-empty shuttles at one slot.
 *
 * @throws {ServiceError} UPSTREAM_*.
 */
export async function readShuttleStates(
  chain: Chain,
  shuttles: readonly OpenShuttle[],
): Promise<ShuttleState[]> {
  const mints = [...new Set(shuttles.map(({ mint }) => mint))];
  const known = new Map(
    await Promise.all(
      mints.map(async (mint) => [mint, await readKnownMint(chain, mint).catch(unlessOfUpstream)] as const),
    ),
  );
  const named = shuttles.map((shuttle) => {
    const mint = known.get(shuttle.mint) as KnownMint | Error;
    return mint instanceof Error
      ? { shuttle, unread: mint }
      : { accounts: recoverableOf(shuttle, mint.facts.tokenProgram), mint };
  });
  const addresses = [...new Set(named.flatMap(({ accounts }) => (accounts ? addressesOf(accounts) : [])))];
  const found = await chain.getAccounts(addresses);
  const at = new Map(addresses.map((address, index) => [address, found[index] ?? null]));
  const read: Read = (address) => at.get(address) ?? null;
  return named
    .map((one) => (one.accounts ? shuttleStateOf(one.accounts, one.mint, read) : unreadMint(one)))
    .filter(({ amount, delegatedTo, why }) => amount > 0n || delegatedTo !== null || why !== null);
}

interface KnownMint {
  readonly facts: MintFacts;
  readonly terms: MintTerms | null;
}

async function readKnownMint(chain: Chain, mint: Address): Promise<KnownMint> {
  const facts = await readMint(chain, mint);
  return { facts, terms: await readMintTerms(chain, facts) };
}

type Read = (address: Address) => Account | null;

const unreadMint = ({ shuttle, unread }: { shuttle: OpenShuttle; unread: Error }): ShuttleState => ({
  ...shuttle,
  facts: null,
  amount: 0n,
  delegatedTo: null,
  recovery: null,
  why: `${unread.message}.`,
});

function shuttleStateOf(accounts: RecoverableShuttle, { facts, terms }: KnownMint, read: Read): ShuttleState {
  const { shuttle, owner, mint, rentRefund, eata, walletAta, tokenProgram } = accounts;
  const expected = { ata: walletAta, owner: shuttle, mint, tokenProgram };
  const wallet = checkTokenAccount(expected, read(walletAta));
  const inEata = carriedBy(accounts, read(eata));
  const amount = (inEata ?? 0n) + (typeof wallet === 'string' ? 0n : wallet.amount);
  const base = { shuttle, owner, mint, rentRefund, facts, amount, delegatedTo: null, recovery: null };
  let status: EataStatus;
  try {
    status = eataStatusOf(eata, read(eata), read(accounts.record), 'b');
  } catch (error) {
    return { ...base, why: `${unlessOfUpstream(error).message}.` };
  }
  if (status.at === 'rollup') {
    return { ...base, delegatedTo: status.validator, why: delegatedText(status.validator) };
  }
  const why =
    inEata === null
      ? `Its ephemeral token account ${eata} does not belong to this shuttle.`
      : typeof wallet === 'string'
        ? `Its token account ${walletAta} is ${wallet}.`
        : (mintFault(facts, terms) ??
          vaultFault(accounts, read, inEata) ??
          ownerFault(accounts, terms, read));
  const recovery = why === null ? { accounts, createsOwnerAta: lacksOwnerAta(accounts, read) } : null;
  return { ...base, recovery, why };
}

/** Rethrows upstream errors, which concern all shuttles. Other errors concern only one shuttle. */
function unlessOfUpstream(error: unknown): Error {
  if (isServiceError(error) && !error.code.startsWith('UPSTREAM_')) return error;
  throw error;
}

/** Derives all accounts that the recovery of a shuttle uses. */
export function recoverableOf(shuttle: OpenShuttle, tokenProgram: Address): RecoverableShuttle {
  const { mint, owner } = shuttle;
  const eata = deriveEata(shuttle.shuttle, mint).address;
  return {
    ...shuttle,
    ...deriveMintVault(mint, tokenProgram),
    tokenProgram,
    eata,
    record: deriveDelegationRecord(eata).address,
    walletAta: deriveAta(shuttle.shuttle, mint, tokenProgram).address,
    ownerAta: deriveAta(owner, mint, tokenProgram).address,
  };
}

const addressesOf = ({
  eata,
  record,
  walletAta,
  ownerAta,
  vault,
  vaultAta,
}: RecoverableShuttle): Address[] => [eata, record, walletAta, ownerAta, vault.address, vaultAta];

/** Reads the base units in a shuttle's eATA on base; null if it does not belong to that shuttle and mint. */
function carriedBy({ shuttle, mint }: OpenShuttle, account: Account | null): bigint | null {
  const eata = account !== null && isProgramAccount(account) ? decodeEata(account.data) : null;
  return eata?.owner === shuttle && eata.mint === mint ? eata.amount : null;
}

const delegatedText = (validator: Address | null): string =>
  `It is delegated to ${validator === null ? 'a validator that no record names' : `validator ${validator}`}. Its rollup should deliver the tokens and return the shuttle; check again later. Only that validator can return it.`;

/** Returns the fault of a mint that would make the whole recovery transaction fail. */
function mintFault(facts: MintFacts, terms: MintTerms | null): string | null {
  const { pausable = null } = terms?.extensions ?? {};
  if (pausable?.paused === true) {
    return `Mint ${facts.mint} is paused ${untilResumed(pausable)}.`;
  }
  try {
    requireMovable(facts, terms);
    return null;
  } catch (error) {
    return `${unlessOfUpstream(error).message}.`;
  }
}

function vaultFault(
  { vault, vaultAta, mint, tokenProgram }: RecoverableShuttle,
  read: Read,
  amount: bigint,
): string | null {
  if (!isProgramAccount(read(vault.address))) return `Mint ${mint} has no vault.`;
  const expected = { ata: vaultAta, owner: vault.address, mint, tokenProgram };
  const tokens = checkTokenAccount(expected, read(vaultAta));
  if (typeof tokens === 'string') return `The vault's token account ${vaultAta} is ${tokens}.`;
  if (tokens.state === 'frozen') return `The vault's token account ${vaultAta} is frozen.`;
  if (tokens.amount >= amount) return null;
  return `The vault holds ${tokens.amount} base units, less than the shuttle's ${amount}.`;
}

function ownerFault(accounts: RecoverableShuttle, terms: MintTerms | null, read: Read): string | null {
  const { owner, ownerAta, mint } = accounts;
  const tokens = checkOwnerAta(accounts, read);
  if (tokens === 'absent') {
    const beginsFrozen = terms?.extensions.defaultState === 'frozen';
    return beginsFrozen ? `${owner} has no token account, and new ones of mint ${mint} are frozen.` : null;
  }
  const place = `The token account ${ownerAta}, which would be paid,`;
  if (typeof tokens === 'string') return `${place} is ${tokens}: the program pays only accounts of ${owner}.`;
  if (tokens.state === 'frozen') return `${place} is frozen until the mint's freeze authority thaws it.`;
  if (tokens.rules.needsMemo) return `${place} requires a memo, which a recovery does not have.`;
  return tokens.rules.takesConfidentialOnly ? `${place} accepts only confidential transfers.` : null;
}

const checkOwnerAta = ({ owner, ownerAta, mint, tokenProgram }: RecoverableShuttle, read: Read) =>
  checkTokenAccount({ ata: ownerAta, owner, mint, tokenProgram }, read(ownerAta));

const lacksOwnerAta = (accounts: RecoverableShuttle, read: Read): boolean =>
  checkOwnerAta(accounts, read) === 'absent';
