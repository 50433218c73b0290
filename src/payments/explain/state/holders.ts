import { isServiceError } from '../../../errors/service-error.ts';
import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../../programs/delegation/pdas.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../../solana/address.ts';
import { eataStatusOf } from '../../rollup-state/eata-status.ts';
import type { AddressBook, KnownHolding } from '../address-book.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import {
  caution,
  danger,
  type Difference,
  type Finding,
  joinReports,
  mismatch,
  NOTHING_TO_REPORT,
  type Report,
  uncertain,
} from '../finding.ts';
import type { ReadSubject } from '../gather-evidence.ts';
import type { ChainFacts } from './chain-facts.ts';

/** The account of `derived`, which payments to `to` go to, as a difference from a request. */
const holderDifference = (
  account: Address,
  { owner, mint }: KnownHolding,
  to: unknown,
  found: string,
): Difference => ({
  part: owner === to ? 'destinationHolder' : 'holder',
  expected: `${account} held by ${owner} in mint ${mint}`,
  found,
});

const placeOf = (account: Address, { owner, mint }: KnownHolding): string =>
  `${account} has the address of ${owner}'s account of mint ${mint}`;

/**
 * Reports accounts whose owner differs from the one their addresses imply. Payments go to the real owner.
 *
 * @param to the payee of the request, if any.
 */
export const checkHandovers = (book: AddressBook, to: unknown): Report =>
  joinReports(
    book.handovers().map(({ account, derived, held }) => {
      const is = `belongs to ${held.owner}${derived.mint === held.mint ? '' : ` and is of mint ${held.mint}`}`;
      const message = `Token account ${placeOf(account, derived)}, but ${is}: payments into it do not reach ${derived.owner}.`;
      const found = `held by ${held.owner} in mint ${held.mint}`;
      return mismatch(
        danger('TOKEN_ACCOUNT_OF_ANOTHER', message),
        holderDifference(account, derived, to, found),
      );
    }),
  );

/**
 * Reports accounts at a token account's address that are not one: tokens can neither enter nor leave them.
 *
 * @param to the payee of the request, if any.
 */
export function checkUsable(
  { effects }: ExplainedCalls,
  { accounts }: ChainFacts,
  book: AddressBook,
  to: unknown,
): Report {
  const created = new Set(effects.creations.map(({ address }) => address));
  return joinReports(
    [...accounts].flatMap(([account, found]) => {
      const holding = book.presumed(account);
      // Lamports sent to the address do not prevent the creation of the account.
      const isCreated = found?.owner === SYSTEM_PROGRAM && created.has(account);
      if (holding === undefined || found === null || isCreated) return [];
      const message = `${placeOf(account, holding)}, but is no token account: tokens can neither enter nor leave it.`;
      return mismatch(
        caution('TOKEN_ACCOUNT_UNUSABLE', message),
        holderDifference(account, holding, to, 'no token account'),
      );
    }),
  );
}

/**
 * Checks the token accounts of a rollup transaction that the rollup does not show, because a private account
 * is visible only to its readers. Base shows whether their eATAs are delegated to the rollup. Only a rollup
 * that never changes owners guarantees that a hidden account still belongs to its original owner.
 */
export async function checkHiddenHolders(reading: ReadSubject): Promise<Report> {
  const { rawEffects } = reading.explained;
  const unseen = new Map<Address, KnownHolding>();
  for (const effect of rawEffects) {
    if (effect.kind !== 'tokens' || effect.location !== 'ephemeral' || effect.account === null) continue;
    const holding = reading.book.holding(effect.account);
    if (holding === undefined || reading.facts.accounts.get(effect.account) !== null) continue;
    unseen.set(effect.account, holding);
  }
  if (unseen.size === 0) return NOTHING_TO_REPORT;
  try {
    const isDelegated = await readDelegations([...unseen.values()], reading);
    const messages = [...unseen].flatMap(([account, holding], index) => {
      const at = `Token account ${placeOf(account, holding)}`;
      if (isDelegated[index] !== true) {
        return `${at}, but ${holding.owner} has none on this rollup by the base ledger's word: it cannot be paid.`;
      }
      if (reading.chain.rollup?.keepsHolders === true) return [];
      return `${at}, and the rollup shows it only to its readers: whether it still belongs to ${holding.owner} is unknown.`;
    });
    return joinReports(messages.map((message) => uncertain('HOLDER_UNSEEN', 'holders', message)));
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const message = `The owners of accounts that the rollup hides could not be read on the base ledger (${error.code}).`;
    return uncertain('HOLDER_UNSEEN', 'holders', message);
  }
}

/** Whether the eATA of each holding is delegated to the rollup's validator. */
async function readDelegations(
  holdings: readonly KnownHolding[],
  { chain, clusterValidator: validator }: ReadSubject,
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

/**
 * Tokens with an unknown recipient. Neither bytes nor ledger name the owner of the account, or they are paid
 * later to an account that is not read, so that the base RPC does not learn who is paid.
 */
export function unnamedFindings({ rawEffects }: ExplainedCalls): Finding[] {
  const findings = rawEffects.flatMap((effect): Finding[] => {
    if (effect.kind !== 'tokens' || effect.held === 'sealed') return [];
    if (effect.held === 'queue') {
      const message = `The payment to ${effect.owner} comes later, into a token account on base that is not read: whether it still belongs to them is unknown.`;
      return [caution('ARRIVAL_UNPROVEN', message)];
    }
    const enters = effect.change === null || effect.change > 0n;
    if (!enters || effect.owner !== null) return [];
    const message = `The recipient of the tokens in account ${effect.account ?? 'of an unread lookup table'} is unknown.`;
    return [caution('HOLDER_UNSEEN', message)];
  });
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}
