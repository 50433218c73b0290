import type { Chain } from '../../../chain/chain.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import { deriveDelegationRecord } from '../../../programs/delegation/pdas.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { isTokenProgram } from '../../../programs/token/token-program.ts';
import { decodeTokenAccount } from '../../../programs/token/state.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { judgeEata } from '../../rollup-state/eata-status.ts';
import type { AddressBook, KnownHolding } from '../address-book.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';
import { NOTHING_UNSEEN, type UnseenHolders } from './holders.ts';

/** Tokens that a base transaction sends to an account on the rollup, by the ATA they arrive in. */
interface Arrival {
  readonly ata: Address;
  readonly holding: KnownHolding;
  /** The validator of their rollup; null if the instruction does not say. */
  readonly validator: Address | null;
  /** Whether the transaction itself delegates the account. */
  readonly isDelegatedHere: boolean;
}

/** What is needed to look for them. */
interface ArrivalReading {
  readonly chain: Chain;
  readonly validator: Address | null;
  readonly book: AddressBook;
}

/**
 * Checks where tokens from base arrive on the rollup: the account must be, or become, delegated to that
 * rollup, and its owner there must be the one explained.
 */
export async function judgeArrivals(
  explained: ExplainedCalls,
  reading: ArrivalReading,
): Promise<UnseenHolders> {
  const judged = await Promise.all(
    arrivalsOf(explained, reading).map(async (arrival) => {
      try {
        return await judgeArrival(arrival, reading);
      } catch (error) {
        if (!isServiceError(error)) throw error;
        return unseen(
          `Where the tokens for ${arrival.holding.owner} arrive could not be looked up (${error.code}).`,
        );
      }
    }),
  );
  return judged.reduce(
    (all, one) => ({
      findings: [...all.findings, ...one.findings],
      doubts: [...all.doubts, ...one.doubts],
      differences: [...all.differences, ...one.differences],
    }),
    NOTHING_UNSEEN,
  );
}

function arrivalsOf({ calls }: ExplainedCalls, { book, validator }: ArrivalReading): Arrival[] {
  const delegated = new Set(
    calls.flatMap(({ matched, reading }) =>
      matched?.form.action === 'delegateEata' ? (reading?.account('eata') ?? []) : [],
    ),
  );
  return calls.flatMap(({ matched, reading }) => {
    const ata = reading?.account('destinationAta') ?? null;
    const holding = book.holding(ata);
    if (matched?.form.action !== 'depositByShuttle' || reading === null || ata === null) return [];
    if (holding === undefined) return [];
    const isDelegatedHere = delegated.has(deriveEata(holding.owner, holding.mint).address);
    return [{ ata, holding, validator: reading.address('validator') ?? validator, isDelegatedHere }];
  });
}

async function judgeArrival(arrival: Arrival, { chain }: ArrivalReading): Promise<UnseenHolders> {
  const { ata, holding, validator, isDelegatedHere } = arrival;
  const { owner, mint } = holding;
  const eata = deriveEata(owner, mint).address;
  const [[account = null, record = null], [onRollup = null]] = await Promise.all([
    chain.getAccounts([eata, deriveDelegationRecord(eata).address]),
    chain.rollup?.getAccounts([ata]) ?? [],
  ]);
  const holder = holderOf(onRollup);
  if (holder !== null && holder !== owner) {
    return elsewhere('destinationHolder', `${ata} held by ${owner} on the rollup`, `held by ${holder} there`);
  }
  const status = judgeEata(eata, account, record, chain.layout);
  if (status.at === 'rollup') {
    return validator === null || status.validator === validator
      ? NOTHING_UNSEEN
      : elsewhere(
          'validator',
          `the account of ${owner} with validator ${validator}`,
          `with ${status.validator}`,
        );
  }
  return isDelegatedHere
    ? NOTHING_UNSEEN
    : unseen(`${owner} has no account of mint ${mint} on the rollup: the tokens cannot arrive there.`);
}

const holderOf = (account: Account | null): Address | null =>
  account !== null && isTokenProgram(account.owner)
    ? (decodeTokenAccount(account.data)?.owner ?? null)
    : null;

const unseen = (message: string): UnseenHolders => ({
  findings: [{ level: 'caution', code: 'HOLDER_UNSEEN', message }],
  doubts: [{ claim: 'holders', message }],
  differences: [],
});

function elsewhere(part: string, expected: string, found: string): UnseenHolders {
  const finding: Finding = {
    level: 'danger',
    code: 'TOKEN_ACCOUNT_OF_ANOTHER',
    message: `The tokens would not arrive where they are said to: ${expected} is expected, and it is ${found}.`,
  };
  return { findings: [finding], doubts: [], differences: [{ part, expected, found }] };
}
