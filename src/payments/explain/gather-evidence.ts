import type { Chain, LedgerClient } from '../../chain/chain.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { CLOCK_SYSVAR, decodeRent, RENT_SYSVAR } from '../../programs/sysvars.ts';
import { type Address, isAddress } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { Location } from '../building/built-transaction.ts';
import { usualMints } from '../create-lookup-table.ts';
import type { AddressBook } from './address-book.ts';
import { explainCalls, type ExplainedCalls } from './explain-calls.ts';
import {
  caution,
  type Finding,
  type FindingCode,
  joinReports,
  NOTHING_TO_REPORT,
  type Report,
} from './finding.ts';
import { impossibleMintFindings } from './findings/mint-findings.ts';
import type { ParsedRequest } from './request/check-request.ts';
import { checkBlockhash } from './state/blockhash.ts';
import { type ChainFacts, NO_CHAIN_FACTS, readChainFacts } from './state/chain-facts.ts';
import { checkReaders, checkShuttles, checkVaults } from './state/faults.ts';
import {
  checkArrivals,
  checkHandovers,
  checkHiddenHolders,
  checkUsable,
  unnamedFindings,
} from './state/holders.ts';
import { type ExplainedSimulation, simulateExplained } from './state/simulate-explained.ts';

/** A transaction to explain, with the context of the request. */
export interface Subject {
  readonly transaction: Transaction;
  readonly request: ParsedRequest | null;
  readonly chain: Chain;
  readonly location: Location;
  /** Known addresses, extended while the ledger is read. */
  readonly book: AddressBook;
  /** The caller's bearer token for the transaction's ledger; undefined on base. */
  readonly token: string | undefined;
  /** The caller's bearer token for the rollup. Also used for base transactions. */
  readonly rollupToken: string | undefined;
  /** Other wallets with accounts that the transaction may use. Default: none. */
  readonly owners?: readonly Address[];
  /** The signer's own wallet; null if not specified. */
  readonly wallet: Address | null;
  /** The sponsor of gasless transfers; null if there is none. */
  readonly sponsor: Address | null;
  /**
   * Whether other transactions constantly use the same accounts, such as a merchant's. Differences in a
   * simulation that such a transaction may explain are then only a caution. Default: false.
   */
  readonly isBusy?: boolean;
}

/** A transaction with the evidence from its bytes and the ledgers. */
export interface Evidence extends Subject {
  /** The facts from the chain; null if no chain was read. */
  readonly facts: ChainFacts | null;
  readonly explained: ExplainedCalls;
  /** The validator of the cluster's rollup; null if it could not be determined. */
  readonly clusterValidator: Address | null;
  /** The comparison with the state of the ledgers. */
  readonly report: Report;
  /** The result of the simulation; null if nothing was simulated. */
  readonly simulation: ExplainedSimulation | null;
}

/** An explained transaction and the client of its ledger. */
export interface ReadSubject extends Pick<Evidence, keyof Subject | 'explained' | 'clusterValidator'> {
  readonly node: LedgerClient;
  readonly facts: ChainFacts;
}

/**
 * Explains the bytes and reads the ledger. A ledger that does not answer is not an error: the missing
 * evidence is reported.
 */
export async function gatherEvidence(subject: Subject, isOffline: boolean): Promise<Evidence> {
  const { transaction, chain, location } = subject;
  if (isOffline) {
    return explainAlone(subject, unread('OFFLINE', 'No ledger was read, because offline was set'));
  }
  const node = location === 'base' ? chain : chain.rollup;
  if (node === null) {
    const why = 'The ledger could not be read (no rollup is configured)';
    return explainAlone(subject, unread('LEDGER_UNREAD', why));
  }
  const [facts, blockhash, clusterValidator] = await Promise.all([
    tryChain(node, subject),
    checkBlockhash(transaction, subject),
    validatorOf(chain),
  ]);
  if ('code' in facts) return explainAlone(subject, facts, blockhash, clusterValidator);
  const explained = explain(subject, facts, clusterValidator);
  const read: ReadSubject = { ...subject, node, facts, explained, clusterValidator };
  const [holders, simulation] = await Promise.all([
    location === 'base' ? checkArrivals(read) : checkHiddenHolders(read),
    simulateExplained(read),
  ]);
  return { ...read, report: joinReports([reportOn(read, holders), blockhash]), simulation };
}

function reportOn({ request, chain, book, facts, explained }: ReadSubject, holders: Report): Report {
  const { to } = (request?.arguments ?? {}) as { readonly to?: unknown };
  return joinReports([
    { ...NOTHING_TO_REPORT, findings: impossibleMintFindings(facts, chain) },
    checkVaults(explained),
    checkShuttles(explained),
    checkHandovers(book, to),
    checkUsable(explained, facts, book, to),
    checkReaders(explained, facts),
    holders,
    { ...NOTHING_TO_REPORT, findings: unnamedFindings(explained) },
  ]);
}

function explainAlone(
  subject: Subject,
  finding: Finding,
  blockhash = NOTHING_TO_REPORT,
  clusterValidator: Address | null = null,
): Evidence {
  return {
    ...subject,
    facts: null,
    explained: explain(subject, NO_CHAIN_FACTS, clusterValidator),
    clusterValidator,
    report: joinReports([{ ...NOTHING_TO_REPORT, findings: [finding] }, blockhash]),
    simulation: null,
  };
}

function explain(subject: Subject, facts: ChainFacts, clusterValidator: Address | null): ExplainedCalls {
  const { transaction, chain, book, location } = subject;
  return explainCalls(transaction, {
    ...facts,
    rent: decodeRent(facts.accounts.get(RENT_SYSVAR) ?? null),
    book,
    location,
    layout: chain.layout,
    clusterValidator,
    owners: ownersOf(subject),
    mints: mintsOf(subject),
  });
}

/** Reads the transaction's accounts, or returns a finding that says why the chain could not be read. */
async function tryChain(node: LedgerClient, subject: Subject): Promise<ChainFacts | Finding> {
  const { transaction, book, token } = subject;
  // The clock decides which of a mint's two transfer fees applies.
  const also = [...mintsOf(subject), CLOCK_SYSVAR, RENT_SYSVAR];
  try {
    return await readChainFacts(node, { transaction, also }, book, token);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return unread('LEDGER_UNREAD', `The ledger could not be read (${error.code})`);
  }
}

const unread = (code: FindingCode, why: string): Finding =>
  caution(code, `${why}: this explanation uses only the bytes.`);

/** Maximum number of other wallets with derived accounts. It leaves room for those in the transaction. */
const OWNERS_MAX = 12;

/** Lists the wallets that the request or caller names. The transaction may use their derived accounts. */
function ownersOf({ request, wallet, owners = [] }: Subject): Address[] {
  const { owner, from, to, payer } = (request?.arguments ?? {}) as Record<string, unknown>;
  return [wallet, owner, from, to, payer, ...owners.slice(0, OWNERS_MAX)]
    .filter((value) => typeof value === 'string')
    .filter((value): value is Address => isAddress(value));
}

function mintsOf({ request, chain }: Subject): readonly Address[] {
  if (request === null) return [];
  const { mint, mints } = request.arguments as {
    readonly mint?: Address;
    readonly mints?: readonly Address[];
  };
  if (request.operation === 'createLookupTable') return mints ?? usualMints(chain);
  return [mint ?? chain.defaultMint];
}

async function validatorOf(chain: Chain): Promise<Address | null> {
  try {
    return await chain.validatorIdentity();
  } catch (error) {
    if (isServiceError(error)) return null;
    throw error;
  }
}
