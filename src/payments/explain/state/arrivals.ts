import type { Chain } from '../../../chain/chain.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import { NATIVE_MINT } from '../../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../../programs/delegation/pdas.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { checkTokenAccount } from '../../accounts/token-account.ts';
import { eataStatusOf, isSettlingOn } from '../../rollup-state/eata-status.ts';
import { readRollupAccount } from '../../rollup-state/rollup-balance.ts';
import type { KnownHolding } from '../address-book.ts';
import { danger, joinReports, mismatch, NOTHING_TO_REPORT, type Report, uncertain } from '../finding.ts';
import type { ReadSubject } from '../gather-evidence.ts';
import type { Reading } from '../reading.ts';

/** The part of a shuttle's journey that the rollup executes after the base transaction has landed. */
interface Journey {
  /** The token account on the rollup that the tokens enter or leave. */
  readonly ata: Address;
  readonly tokenProgram: Address;
  readonly holding: KnownHolding;
  /** The validator of their rollup; null if the instruction does not say. */
  readonly validator: Address | null;
  /** Whether the transaction itself delegates the eATA. */
  readonly isDelegatedHere: boolean;
  /** Base units that leave the account on the rollup; 0 for tokens that enter it. */
  readonly taken: bigint;
}

/**
 * Follows the shuttles of a base transaction to the other ledger: whether the rollup would execute what they
 * carry, and whether base would then accept the tokens of a withdrawal. The base transaction succeeds either
 * way, and its fee is lost if the tokens cannot arrive.
 *
 * Findings: ARRIVAL_FAILS if the ledgers show that the tokens would not arrive; ARRIVAL_UNPROVEN if they do
 * not show it; TOKEN_ACCOUNT_OF_ANOTHER if they would arrive with someone else.
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

/** The role of the token account on the rollup, by the instruction that fills a shuttle. */
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
      // Two withdrawals in one transaction are taken from the same balance.
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
  // The rollup is read no later than base, because it may forget a settlement that an earlier read of base
  // lacks.
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
  if (isSettling) return fails(`an account of ${owner} that the rollup can use`, 'on its way back to base');
  if ('unread' in shown) {
    // A rollup that reports settlements and keeps holders confirms the arrival without the balance.
    const isOpen = chain.rollup?.isSettling !== undefined && (await isOwn(chain, validator));
    return taken === 0n && isOpen ? NOTHING_TO_REPORT : unproven(unreadText(journey, shown.unread));
  }
  if (shown.state === 'frozen') {
    return fails(`an account of ${owner} that the rollup can use`, `${ata}, which is frozen there`);
  }
  return shown.amount < taken ? lacks(shown.amount) : NOTHING_TO_REPORT;
}

/** Whether the cluster's rollup is the one of a validator. */
const isOwn = async ({ rollup }: Chain, validator: Address | null): Promise<boolean> =>
  (await rollup?.identity()) === validator;

const unreadText = ({ holding, taken }: Journey, why: string): string =>
  taken === 0n
    ? `Whether the account of ${holding.owner} on the rollup accepts the tokens is unknown: ${why}.`
    : `Whether the rollup holds enough tokens of ${holding.owner} is not known: ${why}. If it does not, nothing arrives and the fee is lost.`;

/** Withdrawals whose token account on base cannot accept the tokens that the vault finally pays. */
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
  if (typeof checked === 'string') return 'an account that is no token account of the mint';
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
