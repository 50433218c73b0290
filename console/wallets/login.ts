import { encodeBase58 } from '../parts/encodings.ts';
import type { Keypair } from './keypair.ts';
import type { PrivatePayments } from '../../src/client/private-payments.ts';

/** A token of a wallet for the rollup. It stays in memory. */
export interface Login {
  readonly token: string;
  /** When it expires, ms since 1970; null if the rollup does not say. */
  readonly expiresAtMs: number | null;
}

/** The form of a challenge (MagicBlock's query filtering service): it says when and for whom, and nothing else. */
const FORM = /^Login to Query Filtering Service\nTimestamp: \d{1,16}\nUser: ([1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** How old a challenge may be before it is not signed any more, seconds. */
const CHALLENGE_AGE_S_MAX = 60;

/**
 * Why a challenge is not to be signed by a wallet; null if it may be.
 *
 * @param nowMs ms since 1970.
 */
export function challengeFault(challenge: string, wallet: string, nowMs: number): string | null {
  const user = FORM.exec(challenge)?.[1];
  if (user === undefined) return 'The text is not a login challenge, so it is not signed.';
  if (user !== wallet) return 'The text is for another wallet, so it is not signed.';
  return isOfThisMinute(challenge, nowMs) ? null : 'The text is older than a minute. Request a new one.';
}

/** The line that says when a challenge was made. */
const STAMP = /^Timestamp: (\d{1,16})\s*$/m;

function isOfThisMinute(challenge: string, nowMs: number): boolean {
  const stamp = STAMP.exec(challenge)?.[1];
  if (stamp === undefined) return true;
  const seconds = Number(stamp) > 100_000_000_000 ? Number(stamp) / 1_000 : Number(stamp);
  return Math.abs(nowMs / 1_000 - seconds) <= CHALLENGE_AGE_S_MAX;
}

/**
 * The challenge that someone has read, or a new one in its place where it is not of this minute any more and the
 * new one says the same but for its time.
 *
 * @param nowMs ms since 1970.
 */
export async function ofThisMinute(
  shown: string,
  nowMs: number,
  ask: () => Promise<string>,
): Promise<string> {
  if (isOfThisMinute(shown, nowMs)) return shown;
  const made = await ask();
  return made.replace(STAMP, '') === shown.replace(STAMP, '') ? made : shown;
}

/** A challenge that is not signed; the message says why. */
export class LoginRefused extends Error {
  override readonly name = 'LoginRefused';
}

/**
 * The key's signature over a challenge, base58.
 *
 * @param nowMs ms since 1970.
 * @throws {LoginRefused} if the text is not to be signed.
 */
export async function signChallenge(key: Keypair, challenge: string, nowMs: number): Promise<string> {
  const fault = challengeFault(challenge, key.address, nowMs);
  if (fault !== null) throw new LoginRefused(fault);
  return encodeBase58(await key.sign(new TextEncoder().encode(challenge)));
}

/**
 * Trades a challenge for a token.
 *
 * @param nowMs ms since 1970.
 * @throws {LoginRefused} if the text is not to be signed.
 * @throws {PaymentsError} as the service fails.
 */
export async function login(
  api: PrivatePayments,
  key: Keypair,
  challenge: string,
  nowMs: number,
): Promise<Login> {
  const signature = await signChallenge(key, challenge, nowMs);
  const { token, expiresAt } = await api.login({ pubkey: key.address, challenge, signature });
  return { token, expiresAtMs: expiryOf(expiresAt) };
}

/** Seconds since 1970 are below this number until the year 5138, and milliseconds above it since 1973. */
const SECONDS_MAX = 100_000_000_000;

function expiryOf(expiresAt: number | string | undefined): number | null {
  if (expiresAt === undefined) return null;
  const number = typeof expiresAt === 'number' ? expiresAt : Number(expiresAt);
  if (!Number.isFinite(number)) return null;
  return number < SECONDS_MAX ? number * 1_000 : number;
}
