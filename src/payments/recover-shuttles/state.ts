import type { Chain } from '../../chain/chain.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../programs/ephemeral-token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { deriveMintVault, type MintVault } from '../accounts/deposit-accounts.ts';
import { isProgramAccount } from '../accounts/read-accounts.ts';
import { checkTokenAccount } from '../accounts/token-account.ts';
import { type MintFacts, readMint } from '../mints/mint-facts.ts';
import { type MintTerms, readMintTerms, requireMovable, untilResumed } from '../mints/mint-terms.ts';
import { type EataStatus, eataStatusOf } from '../rollup-state/eata-status.ts';
import type { OpenShuttle } from './find.ts';

/** A shuttle and every account that getting its tokens back touches. */
export interface RecoverableShuttle extends OpenShuttle, MintVault {
  readonly tokenProgram: Address;
  readonly eata: Address;
  /** The delegation record of its eATA. */
  readonly record: Address;
  readonly walletAta: Address;
  /** The ATA of its owner, which is paid. */
  readonly ownerAta: Address;
}

/** The state of a shuttle. */
export interface ShuttleState extends OpenShuttle {
  readonly facts: MintFacts | null;
  /** Base units in its eATA and its ATA on base. Only the rollup knows the contents of a delegated one. */
  readonly amount: bigint;
  /** The validator it is delegated to; null if it is not delegated or the validator is unknown. */
  readonly delegatedTo: Address | null;
  /** The recovery; null if it is not possible now. */
  readonly recovery: { readonly accounts: RecoverableShuttle; readonly createsOwnerAta: boolean } | null;
  /** Why it cannot be recovered now, as a sentence; null if it can. */
  readonly why: string | null;
}

/**
 * Reads the state of shuttles at one slot, without those that are empty.
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

/** @throws {ServiceError} as readMint and readMintTerms do. */
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

/**
 * A problem with a mint or an account is reported for the shuttle. An unreachable ledger aborts the
 * operation.
 */
function unlessOfUpstream(error: unknown): Error {
  if (isServiceError(error) && !error.code.startsWith('UPSTREAM_')) return error;
  throw error;
}

/** Every account that recovering a shuttle of a mint of `tokenProgram` touches. */
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

/** Base units in the eATA of a shuttle on base; null if it does not belong to that shuttle and mint. */
function carriedBy({ shuttle, mint }: OpenShuttle, account: Account | null): bigint | null {
  const eata = account !== null && isProgramAccount(account) ? decodeEata(account.data) : null;
  return eata?.owner === shuttle && eata.mint === mint ? eata.amount : null;
}

const delegatedText = (validator: Address | null): string =>
  `It is delegated to ${validator === null ? 'a validator that no record names' : `validator ${validator}`}. Its rollup should deliver the tokens and return the shuttle; check again later. Only that validator can return it.`;

/** A failing recovery would also fail the other recoveries of its transaction. */
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
    return beginsFrozen ? `${owner} has no token account, and those of mint ${mint} begin frozen.` : null;
  }
  const place = `The token account ${ownerAta}, which would be paid,`;
  if (typeof tokens === 'string')
    return `${place} is ${tokens}: the program pays accounts of ${owner} alone.`;
  if (tokens.state === 'frozen') return `${place} is frozen until the mint's freeze authority thaws it.`;
  if (tokens.rules.needsMemo) return `${place} requires a memo, which a recovery does not have.`;
  return tokens.rules.takesConfidentialOnly ? `${place} accepts only confidential transfers.` : null;
}

const checkOwnerAta = ({ owner, ownerAta, mint, tokenProgram }: RecoverableShuttle, read: Read) =>
  checkTokenAccount({ ata: ownerAta, owner, mint, tokenProgram }, read(ownerAta));

const lacksOwnerAta = (accounts: RecoverableShuttle, read: Read): boolean =>
  checkOwnerAta(accounts, read) === 'absent';
