import type { Chain, LedgerClient } from '../../chain/chain.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { CLOCK_SYSVAR, decodeRent, RENT_SYSVAR } from '../../programs/sysvars.ts';
import { type Address, isAddress } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { Location } from '../building/built-transaction.ts';
import { usualMints } from '../create-lookup-table.ts';
import type { AddressBook } from './address-book.ts';
import { explainCalls, type ExplainedCalls } from './explain-calls.ts';
import type { Finding, FindingCode } from './finding.ts';
import type { ParsedRequest } from './request/check-request.ts';
import { type ExplainedSimulation, simulateExplained } from './simulation/simulate-explained.ts';
import { checkArrivals } from './state/arrivals.ts';
import { type BlockhashState, checkBlockhash } from './state/blockhash.ts';
import { type ChainFacts, NO_CHAIN_FACTS, readChainFacts } from './state/chain-facts.ts';
import { checkHiddenHolders, type HolderReport, NOTHING_TO_REPORT } from './state/holders.ts';

/** A transaction to explain, with its circumstances. */
export interface Subject {
  readonly transaction: Transaction;
  readonly request: ParsedRequest | null;
  readonly chain: Chain;
  /** The ledger it is for. */
  readonly location: Location;
  /** Extended while the ledger is read. */
  readonly book: AddressBook;
  /** The caller's bearer token for the ledger it is for; undefined on base. */
  readonly token: string | undefined;
  /** The caller's bearer token for the rollup, wherever the transaction is for. */
  readonly rollupToken: string | undefined;
  /** The signer's own wallet, if given. */
  readonly wallet: Address | null;
  /** The sponsor of gasless transfers; null if there is none. */
  readonly sponsor: Address | null;
}

/** What the bytes and the ledgers show of a transaction. */
export interface Evidence {
  /** Null if no chain was read. */
  readonly facts: ChainFacts | null;
  readonly explained: ExplainedCalls;
  readonly blockhash: BlockhashState;
  readonly holders: HolderReport;
  /** The validator of the cluster's rollup; null if it could not be determined. */
  readonly clusterValidator: Address | null;
  /** Null if nothing was simulated. */
  readonly simulation: ExplainedSimulation | null;
  /** Why the ledger could not be read. */
  readonly findings: readonly Finding[];
}

/**
 * Explains the bytes and reads the ledger. A ledger that does not answer is not an error: the missing
 * evidence is reported.
 */
export async function gatherEvidence(subject: Subject, isOffline: boolean): Promise<Evidence> {
  const { chain, location } = subject;
  if (isOffline)
    return explainAlone(subject, unread('OFFLINE', 'No ledger was read, because offline was set'));
  const node = nodeOf(chain, location);
  if (node === null) {
    return explainAlone(
      subject,
      unread('LEDGER_UNREAD', 'The ledger could not be read (no rollup is configured)'),
    );
  }
  const [reading, blockhash, clusterValidator] = await Promise.all([
    tryChain(node, subject),
    checkBlockhash(subject.transaction, subject),
    validatorOf(chain),
  ]);
  if ('code' in reading) return { ...explainAlone(subject, reading, clusterValidator), blockhash };
  const explained = explain(subject, reading, clusterValidator);
  const [holders, simulation] = await Promise.all([
    holderReport(subject, { explained, facts: reading, validator: clusterValidator }),
    simulateExplained({ ...subject, node, explained }),
  ]);
  return { facts: reading, explained, blockhash, holders, clusterValidator, simulation, findings: [] };
}

function explainAlone(subject: Subject, finding: Finding, clusterValidator: Address | null = null): Evidence {
  return {
    facts: null,
    explained: explain(subject, NO_CHAIN_FACTS, clusterValidator),
    blockhash: { is: 'unread' },
    holders: NOTHING_TO_REPORT,
    clusterValidator,
    simulation: null,
    findings: [finding],
  };
}

function explain(subject: Subject, facts: ChainFacts, clusterValidator: Address | null): ExplainedCalls {
  const { transaction, chain, book, location } = subject;
  const { tables, accounts } = facts;
  return explainCalls(transaction, {
    tables,
    accounts,
    rent: decodeRent(accounts.get(RENT_SYSVAR) ?? null),
    book,
    location,
    layout: chain.layout,
    clusterValidator,
    owners: ownersOf(subject),
    mints: mintsOf(subject),
  });
}

const nodeOf = (chain: Chain, location: Location): LedgerClient | null =>
  location === 'base' ? chain : chain.rollup;

/** The accounts of the chain, or why they cannot be read. The bytes are explained in either case. */
async function tryChain(node: LedgerClient, subject: Subject): Promise<ChainFacts | Finding> {
  const { transaction, book, token } = subject;
  try {
    return await readChainFacts(node, { transaction, also: alsoOf(subject) }, book, token);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return unread('LEDGER_UNREAD', `The ledger could not be read (${error.code})`);
  }
}

const unread = (code: FindingCode, why: string): Finding => ({
  level: 'caution',
  code,
  message: `${why}: this explanation uses the bytes alone.`,
});

/** Wallets named by the request or the caller. Their derived accounts may occur in the transaction. */
function ownersOf({ request, wallet }: Subject): Address[] {
  const { owner, from, to, payer } = (request?.arguments ?? {}) as Record<string, unknown>;
  return [wallet, owner, from, to, payer]
    .filter((value) => typeof value === 'string')
    .filter((value): value is Address => isAddress(value));
}

/** The mints of the request. */
function mintsOf({ request, chain }: Subject): readonly Address[] {
  if (request === null) return [];
  const { mint, mints } = request.arguments as {
    readonly mint?: Address;
    readonly mints?: readonly Address[];
  };
  if (request.operation === 'createLookupTable') return mints ?? usualMints(chain);
  return [mint ?? chain.defaultMint];
}

/**
 * The mints of the request, the clock, which decides which of a mint's two transfer fees applies, and the
 * rent.
 */
const alsoOf = (subject: Subject): Address[] => [...mintsOf(subject), CLOCK_SYSVAR, RENT_SYSVAR];

async function validatorOf(chain: Chain): Promise<Address | null> {
  try {
    return await chain.validatorIdentity();
  } catch (error) {
    if (isServiceError(error)) return null;
    throw error;
  }
}

async function holderReport(
  { chain, location, book, rollupToken }: Subject,
  {
    explained,
    facts,
    validator,
  }: { explained: ExplainedCalls; facts: ChainFacts; validator: Address | null },
): Promise<HolderReport> {
  if (location === 'base') {
    return checkArrivals(explained, { chain, validator, book, facts, token: rollupToken });
  }
  if (chain.rollup === null) return NOTHING_TO_REPORT;
  return checkHiddenHolders(explained, { chain, rollup: chain.rollup, validator, facts, book });
}
