import { encodeBase58 } from '../parts/encodings.ts';
import type { Keypair } from './keypair.ts';
import type { PrivatePayments } from '../../src/client/private-payments.ts';

/** A wallet's token for the rollup. It stays in memory. */
export interface Login {
  readonly token: string;
  /** Expiry, ms since 1970; null if unknown. */
  readonly expiresAtMs: number | null;
}

/** The format of a challenge (MagicBlock's query filtering service). It contains only a time and a wallet. */
const FORM = /^Login to Query Filtering Service\nTimestamp: \d{1,16}\nUser: ([1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** Maximum age of a challenge that is signed, seconds. */
const CHALLENGE_AGE_S_MAX = 60;

/**
 * Says why a wallet must not sign a challenge; null if it may.
 *
 * @param nowMs ms since 1970.
 */
export function challengeFault(challenge: string, wallet: string, nowMs: number): string | null {
  const user = FORM.exec(challenge)?.[1];
  if (user === undefined) return 'The text is not a login challenge, so it is not signed.';
  if (user !== wallet) return 'The text is for another wallet, so it is not signed.';
  return isOfThisMinute(challenge, nowMs) ? null : 'The text is older than a minute. Request a new one.';
}

/** The line with the time of a challenge. */
const STAMP = /^Timestamp: (\d{1,16})\s*$/m;

function isOfThisMinute(challenge: string, nowMs: number): boolean {
  const stamp = STAMP.exec(challenge)?.[1];
  if (stamp === undefined) return true;
  const seconds = Number(stamp) > 100_000_000_000 ? Number(stamp) / 1_000 : Number(stamp);
  return Math.abs(nowMs / 1_000 - seconds) <= CHALLENGE_AGE_S_MAX;
}

/**
 * Returns the shown challenge, or a new one if it is older than a minute and the new one differs only in its
 * time.
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

/** Thrown if a challenge must not be signed. */
export class LoginRefused extends Error {
  override readonly name = 'LoginRefused';
}

/**
 * Signs a challenge. Returns the signature in base58.
 *
 * @param nowMs ms since 1970.
 * @throws {LoginRefused} if the text must not be signed.
 */
export async function signChallenge(key: Keypair, challenge: string, nowMs: number): Promise<string> {
  const fault = challengeFault(challenge, key.address, nowMs);
  if (fault !== null) throw new LoginRefused(fault);
  return encodeBase58(await key.sign(new TextEncoder().encode(challenge)));
}

/**
 * Signs a challenge and exchanges it for a token.
 *
 * @param nowMs ms since 1970.
 * @throws {LoginRefused} if the text must not be signed.
 * @throws {PaymentsError} if the service rejects the login.
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

/** Times below this number are in seconds, others in milliseconds. */
const SECONDS_MAX = 100_000_000_000;

function expiryOf(expiresAt: number | string | undefined): number | null {
  if (expiresAt === undefined) return null;
  const number = typeof expiresAt === 'number' ? expiresAt : Number(expiresAt);
  if (!Number.isFinite(number)) return null;
  return number < SECONDS_MAX ? number * 1_000 : number;
}
