import type { Chain, Rollup } from '../../../chain/chain.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import { deriveDelegationRecord } from '../../../programs/delegation/pdas.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import type { Address } from '../../../solana/address.ts';
import { judgeEata } from '../../rollup-state/eata-status.ts';
import type { AddressBook, Handover, KnownHolding } from '../address-book.ts';
import type { ChainFacts } from './chain-facts.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';
import type { Difference } from '../request/compare.ts';
import type { Doubt } from '../request/expectation.ts';

/** Accounts that belong to someone else than their addresses imply: paying the account pays that owner. */
export function holderFindings(book: AddressBook): Finding[] {
  return book.handovers().map((handover) => ({
    level: 'danger',
    code: 'TOKEN_ACCOUNT_OF_ANOTHER',
    message: `${describeHandover(handover)}: what is paid into it is not ${handover.derived.owner}'s.`,
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

/** What could not be determined about owners, for signers and for a request. */
export interface UnseenHolders {
  readonly findings: readonly Finding[];
  readonly doubts: readonly Doubt[];
  /** Differences from the request. */
  readonly differences: readonly Difference[];
}

/** Every owner is known, or none was looked up. */
export const NOTHING_UNSEEN: UnseenHolders = { findings: [], doubts: [], differences: [] };

/** What is needed to look for owners that a rollup hides. */
interface RollupReading {
  readonly chain: Chain;
  readonly rollup: Rollup;
  readonly validator: Address | null;
  readonly facts: ChainFacts;
  readonly book: AddressBook;
}

/**
 * Checks the token accounts of a rollup transaction that the rollup does not show: a private account is
 * visible to its readers only. Base shows whether their eATAs are delegated to the rollup at all. Whether a
 * hidden account still belongs to its original owner, only a rollup that never changes owners can guarantee.
 */
export async function judgeUnseenHolders(
  explained: ExplainedCalls,
  reading: RollupReading,
): Promise<UnseenHolders> {
  const unseen = unseenHoldings(explained, reading);
  if (unseen.size === 0) return NOTHING_UNSEEN;
  try {
    const places = await readPlaces([...unseen.values()], reading);
    const told = [...unseen.keys()].flatMap((account, index) =>
      judgePlace(account, unseen.get(account) as KnownHolding, places[index] === true, reading),
    );
    return {
      findings: told.map((message) => ({ level: 'caution', code: 'HOLDER_UNSEEN', message })),
      doubts: told.map((message) => ({ claim: 'holders', message })),
      differences: [],
    };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const message = `Whose accounts the rollup hides could not be looked up on the base ledger (${error.code}).`;
    return {
      findings: [{ level: 'caution', code: 'HOLDER_UNSEEN', message }],
      doubts: [{ claim: 'holders', message }],
      differences: [],
    };
  }
}

/**
 * Accounts that tokens enter or leave and whose owner only the address implies, as the rollup shows no
 * account there.
 */
function unseenHoldings(
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
    const status = judgeEata(eata, account, record, chain.layout);
    return status.at === 'rollup' && (validator === null || status.validator === validator);
  });
}

function judgePlace(
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
    `${at}, and the rollup shows it to its readers alone: whether it still belongs to ${owner} cannot be told.`,
  ];
}

/**
 * Tokens with an unknown receiver: neither bytes nor ledger name the owner of the account, or they are paid
 * out later to an account that is not read, so that base's RPC does not learn who is paid.
 */
export function unnamedFindings({ rawEffects }: ExplainedCalls): Finding[] {
  const findings = rawEffects.flatMap((effect): Finding[] => {
    if (effect.kind !== 'tokens' || effect.held === 'sealed') return [];
    if (effect.held === 'queue') {
      const message = `What ${effect.owner} is paid comes later, into a token account on base that is not looked up: whether it still is theirs cannot be told.`;
      return [{ level: 'caution', code: 'ARRIVAL_UNPROVEN', message }];
    }
    const enters = effect.change === null || effect.change > 0n;
    if (!enters || effect.owner !== null) return [];
    const message = `Who gets the tokens in account ${effect.account ?? 'of an unread lookup table'} cannot be told.`;
    return [{ level: 'caution', code: 'HOLDER_UNSEEN', message }];
  });
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}
