import type { Chain } from '../../../chain/chain.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import { NATIVE_MINT, SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../../programs/delegation/pdas.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { checkTokenAccount } from '../../accounts/token-account.ts';
import { eataStatusOf, isSettlingOn } from '../../rollup-state/eata-status.ts';
import { readRollupAccount } from '../../rollup-state/rollup-balance.ts';
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
import type { Reading } from '../reading.ts';
import type { ChainFacts } from './chain-facts.ts';

/** Describes the wrong holder of a token account. The difference concerns the payee if `to` should own it. */
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
 * Reports token accounts whose owner differs from the owner that their address implies. Payments go to the
 * real owner.
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
 * Reports token account addresses that hold another kind of account, which cannot send or receive tokens.
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
      const message = `${placeOf(account, holding)}; it is not a token account, so tokens can neither enter nor leave it.`;
      return mismatch(
        caution('TOKEN_ACCOUNT_UNUSABLE', message),
        holderDifference(account, holding, to, 'no token account'),
      );
    }),
  );
}

/**
 * Checks the token accounts in a rollup transaction that the rollup hides, because only its readers can see a
 * private account. Base shows whether their eATAs are delegated to the rollup. A hidden account is certain to
 * belong to its original owner only on a rollup that never changes owners.
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
        return `${at}, but ${holding.owner} has none on this rollup according to the base ledger, so it cannot be paid.`;
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

/** Checks whether each holding's eATA is delegated to the rollup's validator. */
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
 * Reports tokens with an unknown recipient. Neither the bytes nor the ledger name the account's owner, or the
 * tokens are paid later to an account that is not read, so that the base RPC does not learn the recipient.
 */
export function unnamedFindings({ rawEffects }: ExplainedCalls): Finding[] {
  const findings = rawEffects.flatMap((effect): Finding[] => {
    if (effect.kind !== 'tokens' || effect.held === 'sealed') return [];
    if (effect.held === 'queue') {
      const message = `The payment to ${effect.owner} is made later, into a token account on base that is not read: whether the account still belongs to the recipient is unknown.`;
      return [caution('ARRIVAL_UNPROVEN', message)];
    }
    const enters = effect.change === null || effect.change > 0n;
    if (!enters || effect.owner !== null) return [];
    const message = `The recipient of the tokens in account ${effect.account ?? 'of an unread lookup table'} is unknown.`;
    return [caution('HOLDER_UNSEEN', message)];
  });
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}

interface Journey {
  readonly ata: Address;
  readonly tokenProgram: Address;
  readonly holding: KnownHolding;
  /** The validator of the tokens' rollup; null if the instruction does not name it. */
  readonly validator: Address | null;
  /** Whether the transaction itself delegates the eATA. */
  readonly isDelegatedHere: boolean;
  /** Base units that leave the account on the rollup; 0 for tokens that enter it. */
  readonly taken: bigint;
}

/**
 * Checks whether the tokens of a base transaction's shuttles can arrive: whether the rollup would execute the
 * payment, and whether base would then accept the tokens of a withdrawal. The base transaction succeeds
 * either way, and its fee is lost if the tokens cannot arrive.
 *
 * Findings: ARRIVAL_FAILS if the ledgers show that the tokens would not arrive; ARRIVAL_UNPROVEN if they do
 * not show whether they would; TOKEN_ACCOUNT_OF_ANOTHER if someone else would receive them.
 */
export async function checkArrivals(reading: ReadSubject): Promise<Report> {
  const checked = await Promise.all(
    journeysOf(reading).map(async (journey) => {
      try {
        return await checkJourney(journey, reading);
      } catch (error) {
        if (!isServiceError(error)) throw error;
        return unproven(
          `Whether the tokens of ${journey.holding.owner} arrive could not be checked (${error.code}).`,
        );
      }
    }),
  );
  return joinReports([...checked, ...undeliverableWithdrawals(reading)]);
}

/** Role of the token account on the rollup, by the action that fills a shuttle. */
const ROLLUP_ATA: ReadonlyMap<string, string> = new Map([
  ['depositByShuttle', 'destinationAta'],
  ['privateTransfer', 'ownerAta'],
  ['withdrawByShuttle', 'ownerAta'],
]);

const isWithdrawal = ({ action }: Reading): boolean => action === 'withdrawByShuttle';

function journeysOf({ explained, book, clusterValidator }: ReadSubject): Journey[] {
  const readings = explained.calls.flatMap(({ reading }) => reading ?? []);
  const delegated = new Set(
    readings.map((reading) => (reading.action === 'delegateEata' ? reading.account('eata') : null)),
  );
  const journeys = new Map<Address, Journey>();
  for (const reading of readings) {
    const role = ROLLUP_ATA.get(reading.action);
    if (role === undefined) continue;
    const [ata, tokenProgram] = [reading.account(role), reading.account('tokenProgram')];
    const holding = book.holding(ata);
    if (ata === null || tokenProgram === null || holding === undefined) continue;
    journeys.set(ata, {
      ata,
      tokenProgram,
      holding,
      validator: reading.address('validator') ?? clusterValidator,
      isDelegatedHere: delegated.has(deriveEata(holding.owner, holding.mint).address),
      // All withdrawals in one transaction use the same balance.
      taken: (journeys.get(ata)?.taken ?? 0n) + (isWithdrawal(reading) ? reading.amount('amount') : 0n),
    });
  }
  return [...journeys.values()];
}

async function checkJourney(
  journey: Journey,
  { chain, book, rollupToken: token }: ReadSubject,
): Promise<Report> {
  const { ata, tokenProgram, holding, validator, isDelegatedHere, taken } = journey;
  const { owner, mint } = holding;
  const eata = deriveEata(owner, mint).address;
  // Read the rollup no later than base. Otherwise the rollup may no longer report a settlement that the read
  // of base does not show yet.
  const [shown, isSettling, [account = null, record = null]] = await Promise.all([
    readRollupAccount(chain, { ata, owner, mint, tokenProgram }, validator, token),
    isSettlingOn(chain, eata),
    chain.getAccounts([eata, deriveDelegationRecord(eata).address]),
  ]);
  if ('unread' in shown && shown.holder !== undefined) {
    const found = `held by ${shown.holder} there`;
    return elsewhere('destinationHolder', `${ata} held by ${owner} on the rollup`, found);
  }
  const status = eataStatusOf(eata, account, record, chain.layout);
  const lacks = (held: bigint): Report =>
    fails(
      `the rollup deducts ${book.tokens(taken, mint)} from the balance of ${owner}`,
      `a balance of ${book.tokens(held, mint)}`,
    );
  if (status.at !== 'rollup') {
    if (!isDelegatedHere) {
      return fails(`an account of ${owner} on the rollup`, `no account of mint ${mint} there`);
    }
    const held = status.at === 'base' ? status.amount : 0n;
    if (held < taken) return lacks(held);
    return (await isOwn(chain, validator))
      ? NOTHING_TO_REPORT
      : unproven(`Whether the rollup of validator ${validator} executes it could not be checked.`);
  }
  if (validator !== null && status.validator !== validator) {
    return elsewhere(
      'validator',
      `the account of ${owner} with validator ${validator}`,
      `with ${status.validator}`,
    );
  }
  if (isSettling) return fails(`an account of ${owner} that the rollup can use`, 'being settled to base');
  if ('unread' in shown) {
    // A rollup that reports settlements and never changes owners confirms the arrival without the balance.
    const isOpen = chain.rollup?.isSettling !== undefined && (await isOwn(chain, validator));
    return taken === 0n && isOpen ? NOTHING_TO_REPORT : unproven(unreadText(journey, shown.unread));
  }
  if (shown.state === 'frozen') {
    return fails(`an account of ${owner} that the rollup can use`, `${ata}, which is frozen there`);
  }
  return shown.amount < taken ? lacks(shown.amount) : NOTHING_TO_REPORT;
}

/** Checks whether the cluster's rollup belongs to `validator`. */
const isOwn = async ({ rollup }: Chain, validator: Address | null): Promise<boolean> =>
  (await rollup?.identity()) === validator;

const unreadText = ({ holding, taken }: Journey, why: string): string =>
  taken === 0n
    ? `Whether the account of ${holding.owner} on the rollup accepts the tokens is unknown: ${why}.`
    : `Whether the rollup holds enough tokens of ${holding.owner} is unknown: ${why}. If it does not, nothing arrives and the fee is lost.`;

/** Reports withdrawals to token accounts that cannot accept the tokens that the vault pays. */
function undeliverableWithdrawals({ explained, book, facts }: ReadSubject): Report[] {
  const { calls, effects } = explained;
  const created = new Set(effects.creations.map(({ address }) => address));
  return calls.flatMap(({ reading }) => {
    if (reading === null || !isWithdrawal(reading)) return [];
    const ata = reading.account('ownerAta');
    const account = ata === null ? undefined : facts.accounts.get(ata);
    // The vault pays native SOL to the wallet itself.
    if (ata === null || account === undefined || reading.account('mint') === NATIVE_MINT) return [];
    const fault = deliveryFault(reading, account, created.has(ata));
    const amount = book.tokens(reading.amount('amount'), reading.account('mint'));
    return fault === null ? [] : [fails(`${amount} in token account ${ata}`, fault)];
  });
}

function deliveryFault(reading: Reading, account: Account | null, isCreated: boolean): string | null {
  const [ata, mint, tokenProgram] = ['ownerAta', 'mint', 'tokenProgram'].map((role) => reading.account(role));
  if (!ata || !mint || !tokenProgram) return null;
  const checked = checkTokenAccount({ ata, owner: null, mint, tokenProgram }, account);
  if (checked === 'absent') return isCreated ? null : 'an account that does not exist';
  if (typeof checked === 'string') return 'an account that is not a token account of the mint';
  if (checked.state === 'frozen') return 'a frozen account';
  if (checked.rules.needsMemo) return 'an account that requires a memo, which the payout does not have';
  return checked.rules.takesConfidentialOnly ? 'an account that accepts only confidential transfers' : null;
}

const unproven = (message: string): Report => uncertain('ARRIVAL_UNPROVEN', 'arrival', message);

const fails = (expected: string, found: string): Report =>
  mismatch(
    danger(
      'ARRIVAL_FAILS',
      `The tokens would not arrive, and the fee would be lost: expected ${expected}, found ${found}.`,
    ),
    { part: 'arrival', expected, found },
  );

const elsewhere = (part: string, expected: string, found: string): Report =>
  mismatch(
    danger(
      'TOKEN_ACCOUNT_OF_ANOTHER',
      `The tokens would not arrive as announced: expected ${expected}, found ${found}.`,
    ),
    { part, expected, found },
  );
