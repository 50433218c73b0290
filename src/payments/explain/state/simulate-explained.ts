import { isServiceError } from '../../../errors/service-error.ts';
import { DELEGATION_PROGRAM, NATIVE_MINT, SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { isTokenProgram } from '../../../programs/token/state.ts';
import type { Account } from '../../../solana/account.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import { isOnCurve } from '../../../solana/pda.ts';
import { isReadable } from '../../accounts/token-account.ts';
import type { Location } from '../../building/built-transaction.ts';
import {
  programsOf,
  runSimulation,
  type SimulatedAccount,
  type SimulationOutcome,
  type SimulationSummary,
  tokensOf,
} from '../../simulation/with-simulation.ts';
import { type AddressBook, lamportChange } from '../address-book.ts';
import { type Effect, roleAt } from '../call.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import { caution, danger, type Finding } from '../finding.ts';
import type { ReadSubject } from '../gather-evidence.ts';
import { shuttlesOf } from './faults.ts';

/** The result of a simulation. */
export interface ExplainedSimulation {
  readonly summary: SimulationSummary;
  readonly findings: readonly Finding[];
}

/** Maximum number of simulations of one transaction while its accounts keep changing. */
const SIMULATIONS_MAX = 3;

/**
 * Simulates a transaction and compares the result with its instructions. Accounts are read in a separate
 * call. Changes that others make in between look like differences, so the simulation is repeated.
 */
export async function simulateExplained(subject: ReadSubject): Promise<ExplainedSimulation> {
  const announced = announcedBy(subject);
  for (let simulation = 1; ; simulation++) {
    const { summary, accounts } = await run(subject);
    const gaps = compareSimulation(announced, accounts, subject.book);
    const moved = gaps.length === 0 ? new Set<Address>() : await movedMeanwhile(subject, accounts);
    const isSettled = gaps.every(({ address }) => !moved.has(address));
    if (!isSettled && simulation < SIMULATIONS_MAX) continue;
    const findings = gaps.map((gap) => {
      const isBusy = subject.isBusy === true || announced.carriers.has(gap.address);
      return gapFinding(gap, isBusy && moved.has(gap.address));
    });
    return { summary, findings: [...outcomeFindings(summary), ...findings] };
  }
}

function run({ chain, node, transaction, explained, token }: ReadSubject): Promise<SimulationOutcome> {
  const watch = explained.accounts.flatMap(({ address, writable }) =>
    writable && address !== null && isReadable(address) ? [address] : [],
  );
  const { layout } = chain;
  const { wire } = transaction;
  return runSimulation({ node, layout, wire, watch, programs: programsOf(transaction), token });
}

function outcomeFindings({ status, error }: SimulationSummary): Finding[] {
  switch (status) {
    case 'succeeds':
      return [];
    case 'fails':
      return [caution('TRIAL_FAILS', `It would fail if sent now: ${error?.message}`)];
    case 'unavailable':
      return [caution('TRIAL_UNAVAILABLE', `${UNCONFIRMED}: ${error?.message}`)];
  }
}

const UNCONFIRMED = 'It could not be simulated, so nothing confirms its instructions';

/** Reports a gap. It is a danger unless unread rent or other users of a busy account may explain it. */
function gapFinding({ message, mayBeRent }: SimulationGap, isOfOthers: boolean): Finding {
  const cannot = 'so the simulation cannot be compared with the instructions';
  if (mayBeRent) {
    return caution('TRIAL_UNSETTLED', `The rent of the cluster cannot be read, ${cannot}: ${message}.`);
  }
  if (isOfOthers) {
    return caution('TRIAL_UNSETTLED', `One of its accounts keeps changing, ${cannot}: ${message}.`);
  }
  return danger('TRIAL_DIFFERS', `The simulation has effects that the instructions do not show: ${message}.`);
}

function announcedBy({ location, transaction, explained }: ReadSubject): AnnouncedEffects {
  return {
    rawEffects: explained.rawEffects,
    location,
    feePayer: transaction.staticKeys[0] as Address,
    signers: new Set(transaction.staticKeys.slice(0, transaction.requiredSignatures)),
    networkFeeMax: location === 'base' ? explained.networkFeeMax : 0n,
    carriers: carriersOf(explained),
    shuttleEatas: new Set(shuttlesOf(explained).map(({ shuttleEata }) => shuttleEata)),
  };
}

/**
 * Finds accounts that changed since they were read, such as the vault of a busy mint. Their differences prove
 * nothing about this transaction.
 */
async function movedMeanwhile(
  { node, token }: ReadSubject,
  accounts: readonly SimulatedAccount[],
): Promise<ReadonlySet<Address>> {
  const addresses = accounts.map(({ address }) => address);
  try {
    const now = await node.getAccounts(addresses, token);
    const moved = accounts.filter(({ before }, index) => !isSame(before, now[index] ?? null));
    return new Set(moved.map(({ address }) => address));
  } catch (error) {
    if (isServiceError(error)) return new Set();
    throw error;
  }
}

function isSame(before: Account | null, now: Account | null): boolean {
  if (before === null || now === null) return before === now;
  return (
    before.lamports === now.lamports &&
    before.owner === now.owner &&
    Buffer.compare(before.data, now.data) === 0
  );
}

/** Announced effects of a transaction's instructions, for comparison with a simulation. */
export interface AnnouncedEffects {
  readonly rawEffects: readonly Effect[];
  /** The simulated ledger. Effects on the other ledger come later. */
  readonly location: Location;
  readonly feePayer: Address;
  readonly signers: ReadonlySet<Address>;
  /** Maximum network fee, in lamports; 0 on a rollup. */
  readonly networkFeeMax: bigint;
  /** Program-owned token accounts that can receive unannounced tokens. */
  readonly carriers: ReadonlySet<Address>;
  /** The eATAs of shuttles. Tokens move only if these are delegated. */
  readonly shuttleEatas: ReadonlySet<Address>;
}

interface Announced {
  /** Tokens, in base units; null if the amount is unknown. */
  tokens: bigint | null;
  /** Lamports received, excluding rent and network fee. */
  lamports: bigint;
  /** Maximum paid for new accounts and the network, in lamports. */
  allowance: bigint;
  /** Whether the account also pays unknown rents. */
  paysUnknownRent: boolean;
}

const NOTHING_ANNOUNCED: Readonly<Announced> = {
  tokens: 0n,
  lamports: 0n,
  allowance: 0n,
  paysUnknownRent: false,
};

/** Roles of accounts that hold tokens in transit. Their addresses are checked separately. */
const CARRIER_ROLES: ReadonlySet<string> = new Set(['vaultAta', 'queueAta', 'shuttleAta', 'stash']);

function carriersOf({ calls }: ExplainedCalls): ReadonlySet<Address> {
  const carriers = new Set<Address>();
  for (const { call, matched } of calls) {
    if (matched === null) continue;
    for (const [index, { address }] of call.accounts.entries()) {
      if (address !== null && CARRIER_ROLES.has(roleAt(matched.form, index))) carriers.add(address);
    }
  }
  return carriers;
}

function sumByAccount({
  rawEffects,
  location,
  feePayer,
  networkFeeMax,
}: AnnouncedEffects): ReadonlyMap<Address, Announced> {
  const announced = new Map<Address, Announced>();
  const of = (address: Address): Announced => {
    let own = announced.get(address);
    if (own === undefined) announced.set(address, (own = { ...NOTHING_ANNOUNCED }));
    return own;
  };
  of(feePayer).allowance += networkFeeMax;
  for (const effect of rawEffects) {
    if (effect.kind === 'lamports') of(effect.address).lamports += effect.change;
    else if (effect.kind === 'creation') {
      const payer = of(effect.payer);
      payer.allowance += effect.lamports ?? 0n;
      payer.paysUnknownRent ||= effect.lamports === null;
    } else if (
      effect.account !== null &&
      effect.location === location &&
      effect.later !== true &&
      effect.held !== 'eata'
    ) {
      const own = of(effect.account);
      own.tokens = own.tokens === null || effect.change === null ? null : own.tokens + effect.change;
    }
  }
  return announced;
}

/** A difference between a simulation and the announced effects. */
interface SimulationGap {
  readonly address: Address;
  /** A sentence without a full stop. */
  readonly message: string;
  /** Whether rent that cannot be read may explain the gap. */
  readonly mayBeRent: boolean;
}

/**
 * Finds every difference between a simulation and the announced effects on tokens, lamports and rights: an
 * account that loses something unannounced or receives less than announced; a new owner, delegate or close
 * authority of a token account; a wallet that a program takes over; a shuttle that carries nothing.
 */
export function compareSimulation(
  announced: AnnouncedEffects,
  accounts: readonly SimulatedAccount[],
  book: AddressBook,
): SimulationGap[] {
  const expected = sumByAccount(announced);
  return accounts.flatMap((account) => {
    const { address } = account;
    const own = expected.get(address) ?? NOTHING_ANNOUNCED;
    const messages = [
      ...tokenGap(account, own, { announced, book }),
      ...changedRights(account, announced.signers),
      ...shuttleGap(account, announced.shuttleEatas),
    ];
    return [
      ...messages.map((message) => ({ address, message, mayBeRent: false })),
      ...lamportGap(account, own).map((message) => ({ address, message, mayBeRent: own.paysUnknownRent })),
    ];
  });
}

function tokenGap(
  { address, before, after }: SimulatedAccount,
  { tokens }: Announced,
  { announced, book }: { readonly announced: AnnouncedEffects; readonly book: AddressBook },
): string[] {
  const [had, has] = [tokensOf(before), tokensOf(after)];
  const holding = has ?? had;
  if (tokens === null) return [];
  if (holding === null) {
    // A rollup may hide an account, so its absence proves nothing; its owner is checked elsewhere.
    const isMissing = announced.location === 'base' && tokens !== 0n;
    return isMissing ? [`there is no token account ${address} for these tokens`] : [];
  }
  const change = (has?.amount ?? 0n) - (had?.amount ?? 0n);
  if (change === tokens) return [];
  if (change > tokens && announced.carriers.has(address)) return [];
  const words = (amount: bigint): string => changeText(amount, holding.mint, book);
  return [
    `token account ${address} of ${holding.owner} ${words(change)}, but according to the instructions it ${words(tokens)}`,
  ];
}

function changeText(change: bigint, mint: Address, book: AddressBook): string {
  if (change === 0n) return 'does not change';
  return change < 0n ? `loses ${book.tokens(-change, mint)}` : `gets ${book.tokens(change, mint)}`;
}

function lamportGap({ address, before, after }: SimulatedAccount, announced: Announced): string[] {
  // Wrapped SOL also counts as lamports.
  const wrapped = (tokensOf(after) ?? tokensOf(before))?.mint === NATIVE_MINT ? announced.tokens : 0n;
  if (!paysOnlyAnnounced(address, before) || wrapped === null) return [];
  const change = (after?.lamports ?? 0n) - (before?.lamports ?? 0n);
  const least = announced.lamports + wrapped - announced.allowance;
  if (change >= least) return [];
  return [
    `${address} ${lamportChange(change)}, but according to the instructions it ${lamportChange(least).replace('loses', 'loses at most')}`,
  ];
}

/**
 * Checks whether only announced payments can reduce an account: true for wallets and token accounts. Programs
 * pay rent from their own accounts. The ephemeral token program's rent PDA, which pays for every shuttle,
 * looks like a wallet but is off the curve, so no key signs for it.
 */
function paysOnlyAnnounced(address: Address, before: Account | null): boolean {
  if (before === null || isTokenProgram(before.owner)) return true;
  return before.owner === SYSTEM_PROGRAM && isOnCurve(addressBytes(address));
}

/** Describes the new owner, delegate or close authority of a token account, or new owner of a signer. */
export function changedRights(
  { address, before, after }: SimulatedAccount,
  signers: ReadonlySet<Address>,
): string[] {
  if (before === null || after === null) return [];
  if (signers.has(address) && before.owner === SYSTEM_PROGRAM && after.owner !== SYSTEM_PROGRAM) {
    return [`${address}, which signs, would belong to program ${after.owner}`];
  }
  const [had, has] = [tokensOf(before), tokensOf(after)];
  if (had === null || has === null) return [];
  const rights = [
    ['holder', had.owner, has.owner],
    // A delegate with an allowance of zero has no rights.
    ['delegate', had.delegate, has.delegatedAmount === 0n ? null : has.delegate],
    ['close authority', had.closeAuthority, has.closeAuthority],
  ] as const;
  return rights
    .filter(([, was, is]) => is !== null && is !== was)
    .map(([name, , is]) => `token account ${address} gets ${is} as its ${name}`);
}

/** Reports an undelegated eATA of a shuttle: the program succeeds but no tokens move. */
const shuttleGap = (
  { address, before, after }: SimulatedAccount,
  shuttleEatas: ReadonlySet<Address>,
): string[] =>
  shuttleEatas.has(address) && (before?.owner === DELEGATION_PROGRAM || after?.owner !== DELEGATION_PROGRAM)
    ? [`eATA ${address} of the shuttle is not delegated, so nothing would move`]
    : [];
