import type { Clock } from '../ports/clock.ts';
import { CLOCK_SYSVAR, decodeClockTime } from '../programs/sysvars.ts';
import type { Address } from '../solana/address.ts';
import type { LedgerClient } from './chain.ts';

/**
 * The form of a challenge (MagicBlock's query filtering service): three lines that say nothing but when and
 * for whom.
 */
const FORM =
  /^Login to Query Filtering Service\nTimestamp: ([1-9]\d{0,11})\nUser: ([1-9A-HJ-NP-Za-km-z]{32,44})$/;

/**
 * How far the time of a challenge may be from now for a wallet to sign it, seconds: a rollup takes it for two
 * minutes, and no two machines have the same time. What is further ahead could be answered for the wallet
 * later.
 */
const AWAY_SECONDS_MAX = 120;

/** What the text of a login says. */
interface LoginChallenge {
  /** base58. */
  readonly owner: string;
  /** When it was made, Unix seconds. */
  readonly second: number;
}

/** The text that a wallet signs to log in. */
export const challengeText = (owner: Address, second: number): string =>
  `Login to Query Filtering Service\nTimestamp: ${second}\nUser: ${owner}`;

/** What a challenge says; null for any other text. */
export function readChallenge(text: string): LoginChallenge | null {
  const [, second, owner] = FORM.exec(text) ?? [];
  return second === undefined || owner === undefined ? null : { owner, second: Number(second) };
}

/**
 * Whether a text is a login of this wallet, of now, and nothing else: a wallet may sign it unasked. Now is
 * the time of this machine, or that of the base ledger: a localnet may be ahead, or stand still.
 *
 * @throws {ServiceError} UPSTREAM_* where the ledger has to be asked and does not answer.
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
