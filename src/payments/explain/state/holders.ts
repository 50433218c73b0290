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

/** Accounts that are somebody else's than their addresses say: whoever pays the one pays the other. */
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

/** The same as points in which a transaction is not what was asked for. `to` is who was to be paid, if anybody. */
export function holderDifferences(book: AddressBook, to: unknown): Difference[] {
  return book.handovers().map(({ account, derived, held }) => ({
    part: derived.owner === to ? 'destinationHolder' : 'holder',
    expected: `${account} held by ${derived.owner} in mint ${derived.mint}`,
    found: `held by ${held.owner} in mint ${held.mint}`,
  }));
}

/** An account at the address of somebody's token account that is none: tokens can neither enter nor leave it. */
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
    // Lamports that somebody sent to the address do not keep the account from being created.
    const isCreated = found.owner === SYSTEM_PROGRAM && created.has(account);
    return isCreated ? [] : [{ account, holding }];
  });
}

const describeUnusable = ({ account, holding }: Unusable): string =>
  `${account} has the address of ${holding.owner}'s account of mint ${holding.mint}, but is no token account`;

/** Accounts that nothing can be paid into, though they are at the right address. */
export const unusableFindings = (...found: Parameters<typeof unusableAccounts>): Finding[] =>
  unusableAccounts(...found).map((unusable) => ({
    level: 'caution',
    code: 'TOKEN_ACCOUNT_UNUSABLE',
    message: `${describeUnusable(unusable)}: tokens can neither enter nor leave it.`,
  }));

/** The same as points in which a transaction is not what was asked for. */
export const unusableDifferences = (
  to: unknown,
  ...found: Parameters<typeof unusableAccounts>
): Difference[] =>
  unusableAccounts(...found).map(({ account, holding }) => ({
    part: holding.owner === to ? 'destinationHolder' : 'holder',
    expected: `${account} held by ${holding.owner} in mint ${holding.mint}`,
    found: 'no token account',
  }));

/** What could not be told of holders, for signers and for a request. */
export interface UnseenHolders {
  readonly findings: readonly Finding[];
  readonly doubts: readonly Doubt[];
  /** What makes a transaction another one than was asked for. */
  readonly differences: readonly Difference[];
}

/** Every holder is known, or nothing was looked up. */
export const NOTHING_UNSEEN: UnseenHolders = { findings: [], doubts: [], differences: [] };

/** What it takes to look for holders that a rollup does not show. */
interface RollupReading {
  readonly chain: Chain;
  readonly rollup: Rollup;
  readonly validator: Address | null;
  readonly facts: ChainFacts;
  readonly book: AddressBook;
}

/**
 * Judges the token accounts of a transaction on the rollup that the rollup does not show: a private one is shown to its
 * readers alone. The base ledger tells whether their eATAs are delegated to the rollup at all; whether a hidden account
 * is still its owner's only a rollup that never lets holders change can promise.
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

/** Holdings that tokens enter or leave by what their addresses say alone, as the rollup shows no account there. */
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

/** Whether the eATA of each holding is delegated to the validator of the rollup. */
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
 * Tokens of which nothing tells who gets them: neither bytes nor ledger name the holder of the account, or they are paid
 * out later to an account that is not looked up, so that the RPC of base does not learn who is paid.
 */
export function unnamedFindings({ rawEffects }: ExplainedCalls): Finding[] {
  const messages = rawEffects.flatMap((effect) => {
    if (effect.kind !== 'tokens' || effect.held === 'sealed') return [];
    if (effect.held === 'queue') {
      return [
        `What ${effect.owner} is paid comes later, into a token account on base that is not looked up: whether it still is theirs cannot be told.`,
      ];
    }
    const enters = effect.change === null || effect.change > 0n;
    return enters && effect.owner === null
      ? [`Who gets the tokens in account ${effect.account ?? 'of an unread lookup table'} cannot be told.`]
      : [];
  });
  return [...new Set(messages)].map((message) => ({ level: 'caution', code: 'HOLDER_UNSEEN', message }));
}
