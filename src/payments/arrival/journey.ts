import { z } from 'zod';
import type { Chain } from '../../chain/chain.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { EPHEMERAL_TOKEN_PROGRAM, MAGIC_PROGRAM, NATIVE_MINT } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeRent, RENT_SYSVAR } from '../../programs/sysvars.ts';
import { decodeTokenHolding, isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { Location } from '../building/built-transaction.ts';
import { AddressBook, describeLamports } from '../explain/address-book.ts';
import type { TokenEffect } from '../explain/call.ts';
import { explainCalls, type ExplainedCall, type ExplainedCalls } from '../explain/explain-calls.ts';
import { readChainFacts } from '../explain/state/chain-facts.ts';
import { shuttlesOf } from '../explain/state/faults.ts';
import { eataStatusOf, isSettlingOn } from '../rollup-state/eata-status.ts';
import { readRollupAccount } from '../rollup-state/rollup-balance.ts';
import { type Outcome, pollUntil, type Waiting } from '../send-transaction/submit.ts';

const ARRIVAL_OUTCOMES = ['arrived', 'moved nothing', 'still under way'] as const;

/** Outcome of a payment, with a sentence about the next step. */
export const arrival = z.object({
  outcome: z.enum(ARRIVAL_OUTCOMES).meta({
    description:
      'arrived: the destination shows the payment; moved nothing: no tokens were moved; still under way: neither has been seen yet.',
  }),
  message: z.string().meta({ description: 'What was observed, and how to check again.' }),
});

export type Arrival = z.infer<typeof arrival>;

const arrived = (message: string): Arrival => ({ outcome: 'arrived', message });
const movedNothing = (message: string): Arrival => ({ outcome: 'moved nothing', message });
const pending = (message: string): Arrival => ({ outcome: 'still under way', message });

/**
 * Maximum wait for the steps after a transaction has landed, in ms. A rollup takes about one second. A REST
 * caller waits up to 60 s in total for the landing and these steps.
 */
export const ARRIVAL_MS_MAX = 20_000;

/** A signed transaction that is about to be sent. */
export interface Departure {
  readonly chain: Chain;
  readonly sendTo: Location;
  readonly transaction: Transaction;
  readonly token: string | undefined;
  /** The recipient of a sealed payment; null if the caller does not name one. */
  readonly payee: Address | null;
  /**
   * Whether the recipients' accounts may be read on base. Such reads shortly after a private payment reveal
   * the recipients to the operator of the RPC node.
   */
  readonly watchRecipients: boolean;
}

interface Watch {
  readonly at: Location;
  /** The token account, or a wallet if native SOL is paid out as lamports. */
  readonly account: Address;
  /** The owner, mint and token program of the balance; null if the balance is in lamports. */
  readonly holding: {
    readonly owner: Address;
    readonly mint: Address;
    readonly tokenProgram: Address;
  } | null;
  /** The change in base units or lamports; negative for outgoing amounts. */
  readonly change: bigint;
}

/** A balance in base units or lamports; `hidden` if the rollup shows it only to others. */
type Balance = bigint | 'hidden' | 'unread';

interface Sight {
  readonly balances: readonly Balance[];
  /** State of the shuttles on base: all closed, all remaining ones returned, or some still delegated. */
  readonly shuttles: 'gone' | 'returned' | 'delegated';
  /** Whether every undelegated eATA has returned to base. */
  readonly isSettled: boolean;
  /** Lamports of the fee payer on base; null if no shuttle is filled. */
  readonly feePayer: bigint | null;
}

/**
 * Follows a payment from before it is sent until its destination shows it. A transaction that only affects
 * its own ledger has arrived when it lands, because it moves everything or nothing. Other payments may be
 * completed later by a rollup or a transfer queue. For these, the journey watches the affected balances and
 * the shuttles that carry the tokens.
 */
export class Journey {
  readonly #departure: Departure;
  readonly #explained: ExplainedCalls;
  readonly #watches: readonly Watch[];
  /** Whether the balances of some recipients are not read. */
  readonly #hasUnwatched: boolean;
  readonly #before: Sight;

  private constructor(
    departure: Departure,
    explained: ExplainedCalls,
    watches: readonly (Watch | null)[],
    before: Sight,
  ) {
    this.#departure = departure;
    this.#explained = explained;
    this.#watches = watches.filter((watch) => watch !== null);
    this.#hasUnwatched = watches.includes(null);
    this.#before = before;
  }

  /**
   * Reads the affected balances before the transaction is sent.
   *
   * @throws {ServiceError} UPSTREAM_* if the ledgers cannot be read.
   */
  static async begin(departure: Departure): Promise<Journey> {
    const explained = await readCalls(departure);
    const watches = continuesElsewhere(explained, departure) ? watchesOf(explained, departure) : [];
    const known = watches.filter((watch) => watch !== null);
    return new Journey(departure, explained, watches, await look(departure, explained, known));
  }

  /**
   * Waits up to {@link ARRIVAL_MS_MAX} for the destination to show the payment.
   *
   * @param outcome the transaction's own outcome; the caller rejects a failed one.
   */
  async end(outcome: Outcome, waiting: Waiting): Promise<Arrival> {
    if (outcome.kind === 'expired') {
      return movedNothing('It moved nothing: it has not landed and can no longer land. Nothing was charged.');
    }
    if (outcome.kind === 'open') {
      return pending('It has not been seen to land yet: look up its signature before you pay again.');
    }
    if (!continuesElsewhere(this.#explained, this.#departure)) {
      const unknown = this.#explained.calls.findIndex(mayContinueElsewhere);
      return unknown === -1
        ? arrived('It has arrived: all its effects took place when it landed.')
        : pending(
            `It has landed, but this service does not know the effect of its instruction ${unknown}. Read the balances that it should change.`,
          );
    }
    const seen = await pollUntil(() => this.#check(), ARRIVAL_MS_MAX, waiting);
    return seen ?? pending(this.#openText());
  }

  /** Checks the outcome once; null if it is undecided. */
  async #check(): Promise<Arrival | null> {
    let sight: Sight;
    try {
      sight = await look(this.#departure, this.#explained, this.#watches);
    } catch (error) {
      if (isServiceError(error)) return null;
      throw error;
    }
    if (sight.shuttles === 'delegated' || !sight.isSettled) return null;
    const moved = this.#watches.flatMap(({ change }, index) => {
      const [before, now] = [this.#before.balances[index], sight.balances[index]];
      if (before === 'hidden' || now === 'hidden') return [];
      if (typeof before !== 'bigint' || typeof now !== 'bigint') return 'unread' as const;
      if (before === now) return 'nothing' as const;
      return change > 0n ? now - before >= change : now - before <= change;
    });
    if (moved.length > 0 && moved.every((each) => each === 'nothing')) {
      // A payment from the rollup to a queue can look the same if the same amount arrived in the meantime.
      if (!this.#hasPaidFor(sight)) return null;
      return movedNothing(
        `It moved nothing: it has landed, but the step after it failed. It cost at most ${describeLamports(this.#cost())}.`,
      );
    }
    const isProven = moved.length > 0 || this.#watches.length === 0;
    const isDone = sight.shuttles === 'gone' && isProven && moved.every((each) => each === true);
    if (!isDone) return null;
    // Waiting longer would not help, because these balances are not read.
    return this.#hasUnwatched
      ? pending(this.#openText())
      : arrived('It has arrived: the balances at its destination show it.');
  }

  /**
   * Checks whether an unchanged reading is newer than the landing. Filling a shuttle costs the fee payer
   * lamports, and a lagging RPC node still shows the old balance.
   */
  #hasPaidFor({ feePayer }: Sight): boolean {
    const before = this.#before.feePayer;
    return feePayer !== null && before !== null && feePayer < before;
  }

  /** Returns the maximum lamports paid by the fee payer, without refundable rent. */
  #cost(): bigint {
    const { transaction } = this.#departure;
    const { effects, networkFeeMax } = this.#explained;
    const moved = effects.lamports.find(({ address }) => address === transaction.staticKeys[0])?.change ?? 0n;
    return networkFeeMax - moved;
  }

  #openText(): string {
    return this.#hasUnwatched
      ? 'It has landed and is on its way. Its arrival was not checked, because that would reveal the recipient to the base RPC. Ask the recipient, or read their balance.'
      : 'It has landed, but its destination does not show it yet: read the balances again before you pay again. If a shuttle came back with tokens, spl.recoverShuttles returns them.';
  }
}

async function readCalls({ chain, sendTo, transaction, token }: Departure): Promise<ExplainedCalls> {
  const node = sendTo === 'base' ? chain : (chain.rollup ?? chain);
  const book = new AddressBook();
  const facts = await readChainFacts(
    node,
    { transaction, also: [RENT_SYSVAR] },
    book,
    sendTo === 'base' ? undefined : token,
  );
  return explainCalls(transaction, {
    ...facts,
    rent: decodeRent(facts.accounts.get(RENT_SYSVAR) ?? null),
    book,
    location: sendTo,
    layout: chain.layout,
    clusterValidator: null,
    owners: [],
    mints: [],
  });
}

const undelegatedEatas = ({ calls }: ExplainedCalls): Address[] =>
  calls.flatMap(({ matched, reading }) =>
    matched?.form.action === 'undelegateEata' ? (reading?.account('eata') ?? []) : [],
  );

/** Checks whether a call may have later effects beyond those read from it. */
const mayContinueElsewhere = ({ call, matched }: ExplainedCall): boolean =>
  matched === null || call.program === MAGIC_PROGRAM || call.accounts.some(({ address }) => address === null);

const tokensOf = ({ effects }: Pick<ExplainedCall, 'effects'>): TokenEffect[] =>
  effects.filter(
    (effect): effect is TokenEffect =>
      effect.kind === 'tokens' && effect.held !== 'vault' && effect.held !== 'eata',
  );

/** Checks whether a rollup or transfer queue moves tokens after the transaction. */
const isLater = ({ location, later, held }: TokenEffect, sendTo: Location): boolean =>
  location !== sendTo || later === true || held !== undefined;

const continuesElsewhere = (explained: ExplainedCalls, { sendTo }: Departure): boolean =>
  undelegatedEatas(explained).length > 0 ||
  explained.calls.flatMap(tokensOf).some((effect) => isLater(effect, sendTo));

/** Lists the balances that change, each once; null for an unwatched recipient. */
function watchesOf({ calls }: ExplainedCalls, departure: Departure): (Watch | null)[] {
  const watches = new Map<string, Watch>();
  let hasUnwatched = false;
  for (const call of calls) {
    for (const effect of tokensOf(call)) {
      const watch = watchOf(effect, call, departure);
      if (watch === null) hasUnwatched = true;
      if (watch === null || watch === 'none') continue;
      const key = `${watch.at} ${watch.account}`;
      watches.set(key, { ...watch, change: watch.change + (watches.get(key)?.change ?? 0n) });
    }
  }
  const changing = [...watches.values()].filter(({ change }) => change !== 0n);
  return hasUnwatched ? [...changing, null] : changing;
}

function watchOf(
  effect: TokenEffect,
  { call, reading }: ExplainedCall,
  { payee, watchRecipients, transaction, sendTo }: Departure,
): Watch | null | 'none' {
  const { held, later, location: at, account, mint, change } = effect;
  const isPaidOut = held !== undefined;
  const owner = held === 'sealed' ? payee : effect.owner;
  const tokenProgram = isTokenProgram(call.program) ? call.program : reading?.account('tokenProgram');
  if (owner === null || mint === null || change === null || !tokenProgram) {
    return isLater(effect, sendTo) ? null : 'none';
  }
  const isOwn = transaction.staticKeys.slice(0, transaction.requiredSignatures).includes(owner);
  if (isPaidOut && !isOwn && !watchRecipients) return null;
  // The vault pays native SOL as lamports, which a signer also uses for fees and rent.
  if (mint === NATIVE_MINT && later === true) return 'none';
  if (mint === NATIVE_MINT && isPaidOut) {
    return isOwn ? null : { at, account: owner, holding: null, change };
  }
  const isDerived = at === 'ephemeral' || isPaidOut || account === null;
  return {
    at,
    account: isDerived ? deriveAta(owner, mint, tokenProgram).address : account,
    holding: { owner, mint, tokenProgram },
    change,
  };
}

async function look(
  { chain, token, transaction }: Departure,
  explained: ExplainedCalls,
  watches: readonly Watch[],
): Promise<Sight> {
  const shuttles = shuttlesOf(explained);
  const feePayer = transaction.staticKeys[0] as Address;
  const eatas = undelegatedEatas(explained);
  const isSettling = await Promise.all(eatas.map((eata) => isSettlingOn(chain, eata)));
  const onRollup = watches.flatMap(({ at, holding }) =>
    at === 'ephemeral' && holding !== null ? deriveEata(holding.owner, holding.mint).address : [],
  );
  const delegable = [...eatas, ...onRollup];
  const addresses = [
    ...(shuttles.length > 0 ? [feePayer] : []),
    ...shuttles.flatMap(({ shuttle, shuttleEata }) => [shuttle, shuttleEata]),
    ...delegable.flatMap((eata) => [eata, deriveDelegationRecord(eata).address]),
    ...watches.flatMap(({ at, account }) => (at === 'base' ? account : [])),
  ];
  // Use a single read, so that a payout and the closing of its shuttle become visible together.
  const read = addresses.length === 0 ? [] : await chain.getAccounts(addresses);
  const accounts = new Map(addresses.map((address, index) => [address, read[index] ?? null]));
  const statusOf = (eata: Address) =>
    eataStatusOf(
      eata,
      accounts.get(eata) ?? null,
      accounts.get(deriveDelegationRecord(eata).address) ?? null,
      chain.layout,
    );
  const balanceOf = async ({ at, account, holding }: Watch): Promise<Balance> => {
    if (at === 'base' || holding === null)
      return baseBalance(accounts.get(account) ?? null, holding !== null);
    const status = statusOf(deriveEata(holding.owner, holding.mint).address);
    if (status.at !== 'rollup') return status.at === 'base' ? status.amount : 0n;
    const shown = await readRollupAccount(chain, { ata: account, ...holding }, status.validator, token);
    if (!('unread' in shown)) return shown.amount;
    return shown.isHidden ? 'hidden' : 'unread';
  };
  return {
    balances: await Promise.all(watches.map(balanceOf)),
    shuttles: shuttleState(
      shuttles.map(({ shuttle, shuttleEata }) => [shuttle, shuttleEata].map((a) => accounts.get(a)?.owner)),
    ),
    feePayer: shuttles.length > 0 ? (accounts.get(feePayer)?.lamports ?? 0n) : null,
    isSettled: !isSettling.includes(true) && eatas.every((eata) => statusOf(eata).at !== 'rollup'),
  };
}

function baseBalance(account: Account | null, isToken: boolean): Balance {
  if (account === null) return 0n;
  if (!isToken) return account.lamports;
  if (!isTokenProgram(account.owner)) return 0n;
  return decodeTokenHolding(account.data)?.amount ?? 'unread';
}

function shuttleState(owners: readonly (readonly (Address | undefined)[])[]): Sight['shuttles'] {
  const left = owners.filter(([metadata]) => metadata === EPHEMERAL_TOKEN_PROGRAM);
  if (left.length === 0) return 'gone';
  return left.every(([, eata]) => eata === EPHEMERAL_TOKEN_PROGRAM) ? 'returned' : 'delegated';
}
