import type { Chain, Rollup } from '../../../chain/chain.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../../programs/delegation/pdas.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../../solana/address.ts';
import { eataStatusOf } from '../../rollup-state/eata-status.ts';
import type { AddressBook, Handover, KnownHolding } from '../address-book.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';
import type { Difference } from '../request/compare.ts';
import type { Doubt } from '../request/expectation.ts';
import type { ChainFacts } from './chain-facts.ts';

/** Accounts whose owner differs from the one their addresses imply. Payments go to the real owner. */
export function holderFindings(book: AddressBook): Finding[] {
  return book.handovers().map((handover) => ({
    level: 'danger',
    code: 'TOKEN_ACCOUNT_OF_ANOTHER',
    message: `${describeHandover(handover)}: payments into it do not reach ${handover.derived.owner}.`,
  }));
}

function describeHandover({ account, derived, held }: Handover): string {
  const is =
    derived.mint === held.mint
      ? `belongs to ${held.owner}`
      : `belongs to ${held.owner} and is of mint ${held.mint}`;
  return `Token account ${account} has the address of ${derived.owner}'s account of mint ${derived.mint}, but ${is}`;
}

/** The same as differences from a request. `to` is the payee, if any. */
export function holderDifferences(book: AddressBook, to: unknown): Difference[] {
  return book.handovers().map(({ account, derived, held }) => ({
    part: derived.owner === to ? 'destinationHolder' : 'holder',
    expected: `${account} held by ${derived.owner} in mint ${derived.mint}`,
    found: `held by ${held.owner} in mint ${held.mint}`,
  }));
}

/** An account at a token account's address that is not one: tokens can neither enter nor leave it. */
interface Unusable {
  readonly account: Address;
  readonly holding: KnownHolding;
}

function unusableAccounts(
  { effects }: ExplainedCalls,
  facts: ChainFacts | null,
  book: AddressBook,
): Unusable[] {
  const created = new Set(effects.creations.map(({ address }) => address));
  return [...(facts?.accounts ?? [])].flatMap(([account, found]) => {
    const holding = book.presumed(account);
    if (holding === undefined || found === null) return [];
    // Lamports sent to the address do not prevent the creation of the account.
    const isCreated = found.owner === SYSTEM_PROGRAM && created.has(account);
    return isCreated ? [] : [{ account, holding }];
  });
}

const describeUnusable = ({ account, holding }: Unusable): string =>
  `${account} has the address of ${holding.owner}'s account of mint ${holding.mint}, but is no token account`;

/** Accounts that cannot receive tokens although they are at the right address. */
export const unusableFindings = (...found: Parameters<typeof unusableAccounts>): Finding[] =>
  unusableAccounts(...found).map((unusable) => ({
    level: 'caution',
    code: 'TOKEN_ACCOUNT_UNUSABLE',
    message: `${describeUnusable(unusable)}: tokens can neither enter nor leave it.`,
  }));

/** The same as differences from a request. */
export const unusableDifferences = (
  to: unknown,
  ...found: Parameters<typeof unusableAccounts>
): Difference[] =>
  unusableAccounts(...found).map(({ account, holding }) => ({
    part: holding.owner === to ? 'destinationHolder' : 'holder',
    expected: `${account} held by ${holding.owner} in mint ${holding.mint}`,
    found: 'no token account',
  }));

/** Unknown or mismatching owners, for signers and for a request. */
export interface HolderReport {
  readonly findings: readonly Finding[];
  readonly doubts: readonly Doubt[];
  /** Differences from the request. */
  readonly differences: readonly Difference[];
}

/** Every owner is known, or none was looked up. */
export const NOTHING_TO_REPORT: HolderReport = { findings: [], doubts: [], differences: [] };

/** The context for finding owners that a rollup hides. */
interface RollupReading {
  readonly chain: Chain;
  readonly rollup: Rollup;
  readonly validator: Address | null;
  readonly facts: ChainFacts;
  readonly book: AddressBook;
}

/**
 * Checks the token accounts of a rollup transaction that the rollup does not show, because a private account
 * is visible only to its readers. Base shows whether their eATAs are delegated to the rollup. Only a rollup
 * that never changes owners guarantees that a hidden account still belongs to its original owner.
 */
export async function checkHiddenHolders(
  explained: ExplainedCalls,
  reading: RollupReading,
): Promise<HolderReport> {
  const unseen = hiddenHoldings(explained, reading);
  if (unseen.size === 0) return NOTHING_TO_REPORT;
  try {
    const places = await readPlaces([...unseen.values()], reading);
    const messages = [...unseen.keys()].flatMap((account, index) =>
      checkHolding(account, unseen.get(account) as KnownHolding, places[index] === true, reading),
    );
    return {
      findings: messages.map((message) => ({ level: 'caution', code: 'HOLDER_UNSEEN', message })),
      doubts: messages.map((message) => ({ claim: 'holders', message })),
      differences: [],
    };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const message = `The owners of accounts that the rollup hides could not be read on the base ledger (${error.code}).`;
    return {
      findings: [{ level: 'caution', code: 'HOLDER_UNSEEN', message }],
      doubts: [{ claim: 'holders', message }],
      differences: [],
    };
  }
}

/** Accounts with token effects that the rollup does not show, so only their addresses imply an owner. */
function hiddenHoldings(
  { rawEffects }: ExplainedCalls,
  { facts, book }: RollupReading,
): Map<Address, KnownHolding> {
  const unseen = new Map<Address, KnownHolding>();
  for (const effect of rawEffects) {
    if (effect.kind !== 'tokens' || effect.location !== 'ephemeral' || effect.account === null) continue;
    const holding = book.holding(effect.account);
    if (holding === undefined || facts.accounts.get(effect.account) !== null) continue;
    unseen.set(effect.account, holding);
  }
  return unseen;
}

/** Whether the eATA of each account is delegated to the rollup's validator. */
async function readPlaces(
  holdings: readonly KnownHolding[],
  { chain, validator }: RollupReading,
): Promise<boolean[]> {
  const eatas = holdings.map(({ owner, mint }) => deriveEata(owner, mint).address);
  const records = eatas.map((eata) => deriveDelegationRecord(eata).address);
  const accounts = await chain.getAccounts([...eatas, ...records]);
  return eatas.map((eata, index) => {
    const [account = null, record = null] = [accounts[index], accounts[eatas.length + index]];
    const status = eataStatusOf(eata, account, record, chain.layout);
    return status.at === 'rollup' && (validator === null || status.validator === validator);
  });
}

function checkHolding(
  account: Address,
  { owner, mint }: KnownHolding,
  isDelegated: boolean,
  { rollup }: RollupReading,
): string[] {
  const at = `Token account ${account} has the address of ${owner}'s account of mint ${mint}`;
  if (!isDelegated) {
    return [`${at}, but ${owner} has none on this rollup by the base ledger's word: it cannot be paid.`];
  }
  if (rollup.keepsHolders === true) return [];
  return [
    `${at}, and the rollup shows it only to its readers: whether it still belongs to ${owner} is unknown.`,
  ];
}

/**
 * Tokens with an unknown recipient. Neither bytes nor ledger name the owner of the account, or they are paid
 * later to an account that is not read, so that the base RPC does not learn who is paid.
 */
export function unnamedFindings({ rawEffects }: ExplainedCalls): Finding[] {
  const findings = rawEffects.flatMap((effect): Finding[] => {
    if (effect.kind !== 'tokens' || effect.held === 'sealed') return [];
    if (effect.held === 'queue') {
      const message = `The payment to ${effect.owner} comes later, into a token account on base that is not read: whether it still belongs to them is unknown.`;
      return [{ level: 'caution', code: 'ARRIVAL_UNPROVEN', message }];
    }
    const enters = effect.change === null || effect.change > 0n;
    if (!enters || effect.owner !== null) return [];
    const message = `The recipient of the tokens in account ${effect.account ?? 'of an unread lookup table'} is unknown.`;
    return [{ level: 'caution', code: 'HOLDER_UNSEEN', message }];
  });
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}
