import { DELEGATION_PROGRAM, NATIVE_MINT, SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { isTokenProgram } from '../../../programs/token/token-program.ts';
import type { Account } from '../../../solana/account.ts';
import { addressBytes, type Address } from '../../../solana/address.ts';
import { isOnCurve } from '../../../solana/curve.ts';
import { tokensOf, type SimulatedAccount } from '../../simulation/run-simulation.ts';
import { describeLamports, type AddressBook } from '../address-book.ts';
import { NOTHING_TOLD, tellByAccount, type Told, type ToldEffects } from './told-effects.ts';

/** A difference between a simulation and what the instructions say. */
export interface SimulationGap {
  readonly address: Address;
  /** A sentence without a full stop. */
  readonly message: string;
  /** Whether rent that cannot be read may explain it. */
  readonly mayBeRent: boolean;
}

/**
 * Every point in which a simulation changed tokens, lamports or rights differently from what the instructions
 * say: an account that loses something unannounced or receives less than announced; a new owner, delegate or
 * close authority of a token account; a wallet that a program takes over; a shuttle that carries nothing.
 */
export function compareSimulation(
  told: ToldEffects,
  accounts: readonly SimulatedAccount[],
  book: AddressBook,
): SimulationGap[] {
  const expected = tellByAccount(told);
  return accounts.flatMap((account) => {
    const { address } = account;
    const own = expected.get(address) ?? NOTHING_TOLD;
    const messages = [
      ...tokenGap(account, own, { told, book }),
      ...rightsGap(account, told.signers),
      ...shuttleGap(account, told.shuttleEatas),
    ];
    return [
      ...messages.map((message) => ({ address, message, mayBeRent: false })),
      ...lamportGap(account, own).map((message) => ({ address, message, mayBeRent: own.paysUnknownRent })),
    ];
  });
}

function tokenGap(
  { address, before, after }: SimulatedAccount,
  { tokens }: Told,
  { told, book }: { readonly told: ToldEffects; readonly book: AddressBook },
): string[] {
  const [had, has] = [tokensOf(before), tokensOf(after)];
  const holding = has ?? had;
  if (tokens === null) return [];
  if (holding === null) {
    // A rollup may hide an account, which proves nothing; its owner is checked elsewhere. Base hides none.
    const isMissing = told.location === 'base' && tokens !== 0n;
    return isMissing ? [`there is no token account ${address} that tokens could move in`] : [];
  }
  const change = (has?.amount ?? 0n) - (had?.amount ?? 0n);
  if (change === tokens) return [];
  if (change > tokens && told.carriers.has(address)) return [];
  const words = (amount: bigint): string => changeText(amount, holding.mint, book);
  return [
    `token account ${address} of ${holding.owner} ${words(change)}, where the instructions say that it ${words(tokens)}`,
  ];
}

function changeText(change: bigint, mint: Address, book: AddressBook): string {
  if (change === 0n) return 'stays as it is';
  return change < 0n ? `loses ${book.tokens(-change, mint)}` : `gets ${book.tokens(change, mint)}`;
}

function lamportGap({ address, before, after }: SimulatedAccount, told: Told): string[] {
  // Tokens of wrapped SOL are lamports, too.
  const wrapped = (tokensOf(after) ?? tokensOf(before))?.mint === NATIVE_MINT ? told.tokens : 0n;
  if (!paysOnlyWhatIsTold(address, before) || wrapped === null) return [];
  const change = (after?.lamports ?? 0n) - (before?.lamports ?? 0n);
  const least = told.lamports + wrapped - told.allowance;
  if (change >= least) return [];
  return [`${address} ${lamportText(change)}, where by its instructions it ${leastText(least)}`];
}

/**
 * True for wallets and token accounts. Programs pay rent from accounts of their own: the rent PDA of the
 * ephemeral token program looks like a wallet and pays for every shuttle, but lies off the curve, so no key
 * signs for it.
 */
function paysOnlyWhatIsTold(address: Address, before: Account | null): boolean {
  if (before === null || isTokenProgram(before.owner)) return true;
  return before.owner === SYSTEM_PROGRAM && isOnCurve(addressBytes(address));
}

const lamportText = (change: bigint): string =>
  change < 0n ? `loses ${describeLamports(-change)}` : `gets ${describeLamports(change)}`;

const leastText = (least: bigint): string =>
  least < 0n ? `loses at most ${describeLamports(-least)}` : `gets ${describeLamports(least)}`;

function rightsGap({ address, before, after }: SimulatedAccount, signers: ReadonlySet<Address>): string[] {
  if (before === null || after === null) return [];
  if (signers.has(address) && before.owner === SYSTEM_PROGRAM && after.owner !== SYSTEM_PROGRAM) {
    return [`${address}, which signs, would belong to program ${after.owner}`];
  }
  const [had, has] = [tokensOf(before), tokensOf(after)];
  if (had === null || has === null) return [];
  const rights = [
    ['holder', had.owner, has.owner],
    // A delegate with an allowance of zero is none.
    ['delegate', had.delegate, has.delegatedAmount === 0n ? null : has.delegate],
    ['close authority', had.closeAuthority, has.closeAuthority],
  ] as const;
  return rights
    .filter(([, was, is]) => is !== null && is !== was)
    .map(([name, , is]) => `token account ${address} gets ${is} as its ${name}`);
}

/** Tokens move as the program delegates the shuttle's eATA; where it does not, it says nothing. */
const shuttleGap = (
  { address, before, after }: SimulatedAccount,
  shuttleEatas: ReadonlySet<Address>,
): string[] =>
  shuttleEatas.has(address) && (before?.owner === DELEGATION_PROGRAM || after?.owner !== DELEGATION_PROGRAM)
    ? [`eATA ${address} of the shuttle is not delegated by it, so that nothing would move`]
    : [];
