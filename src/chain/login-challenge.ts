import type { Clock } from '../ports/clock.ts';
import { CLOCK_SYSVAR, decodeClockTime } from '../programs/sysvars.ts';
import type { Address } from '../solana/address.ts';
import type { LedgerClient } from './chain.ts';

/** A challenge of MagicBlock's query filtering service: three lines with only a time and a wallet. */
const FORM =
  /^Login to Query Filtering Service\nTimestamp: ([1-9]\d{0,11})\nUser: ([1-9A-HJ-NP-Za-km-z]{32,44})$/;

/**
 * Maximum difference between now and the time of a challenge that a wallet may sign, in seconds. A rollup
 * accepts a challenge for two minutes, and clocks differ. Anyone could store a challenge for a later time and
 * use it then.
 */
const AWAY_SECONDS_MAX = 120;

interface LoginChallenge {
  /** The wallet that logs in, base58. */
  readonly owner: string;
  /** Creation time, Unix seconds. */
  readonly second: number;
}

/** Returns the text that a wallet signs to log in. */
export const challengeText = (owner: Address, second: number): string =>
  `Login to Query Filtering Service\nTimestamp: ${second}\nUser: ${owner}`;

/** Parses a challenge; null for any other text. */
export function readChallenge(text: string): LoginChallenge | null {
  const [, second, owner] = FORM.exec(text) ?? [];
  return second === undefined || owner === undefined ? null : { owner, second: Number(second) };
}

/**
 * Whether a text is exactly a current login challenge of this wallet. The wallet may then sign it without
 * confirmation. Accepts the time of this machine or of the base ledger, because a localnet may be ahead or
 * stopped.
 *
 * @throws {ServiceError} UPSTREAM_* if the ledger's time is needed and the ledger does not answer.
 */
export async function isLoginOf(
  owner: Address,
  text: string,
  base: Pick<LedgerClient, 'getAccounts'>,
  clock: Clock,
): Promise<boolean> {
  const challenge = readChallenge(text);
  if (challenge?.owner !== owner) return false;
  const isNear = (seconds: number) => Math.abs(challenge.second - seconds) <= AWAY_SECONDS_MAX;
  if (isNear(clock.now() / 1_000)) return true;
  const [account] = await base.getAccounts([CLOCK_SYSVAR]);
  const time = decodeClockTime(account ?? null);
  return time !== null && isNear(Number(time.unixTimestamp));
}
