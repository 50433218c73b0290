import { challengeText, readChallenge } from '../../chain/login-challenge.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Address } from '../../solana/address.ts';

/** Lifetime of a challenge, in seconds. It leaves time to read the challenge on a hardware wallet. */
export const CHALLENGE_SECONDS = 120;

/**
 * Maximum lead of a challenge's time over the clock, in seconds. It lets one wallet get several different
 * challenges within a second. Clients treat a challenge as forged if its time is off by more than about 30 s.
 */
export const AHEAD_SECONDS_MAX = 5;

/** Maximum number of wallets whose newest answer is stored. With more wallets, challenges expire early. */
export const ANSWERED_MAX = 100_000;

/** Maximum number of wallets whose last challenge is stored. Other wallets may get a challenge twice. */
const OPEN_CHALLENGES_MAX = 10_000;

/** The reason for rejecting the answer to a challenge. */
export type ChallengeFault = 'malformed' | 'other-wallet' | 'expired' | 'used';

/**
 * Texts that wallets sign to log in. A challenge consists of its wallet and a time in seconds. Issued
 * challenges are not stored, because every client can compute the current one. Each challenge can be answered
 * once, within a limited time. A wallet's newest answer invalidates its older challenges and is stored until
 * it would have expired.
 */
export class Challenges {
  readonly #clock: Clock;
  /**
   * Challenges before this second are rejected, because their answers are not stored. At first this covers
   * every challenge from before startup.
   */
  #firstSecond: number;
  /** The second of the last challenge issued to each wallet, least recently issued first. */
  readonly #issued = new Map<Address, number>();
  /** For each wallet, the second of its newest answered challenge, in the order of the answers. */
  readonly #answered = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#firstSecond = this.#now() + AHEAD_SECONDS_MAX + 1;
  }

  /** Returns a text for a wallet to sign. Repeats a text only if the wallet requests many within a second. */
  give(owner: Address): string {
    const present = Math.max(this.#now(), this.#firstSecond);
    const following = Math.max(this.#issued.get(owner) ?? 0, this.#answered.get(owner) ?? 0) + 1;
    const second = Math.min(Math.max(present, following), present + AHEAD_SECONDS_MAX);
    this.#issued.delete(owner);
    if (this.#issued.size >= OPEN_CHALLENGES_MAX)
      this.#issued.delete(this.#issued.keys().next().value as Address);
    this.#issued.set(owner, second);
    return challengeText(owner, second);
  }

  /** Returns the reason to reject an answer of this wallet now; undefined if there is none. */
  findFault(challenge: string, owner: Address): ChallengeFault | undefined {
    const parsed = readChallenge(challenge);
    if (parsed === null) return 'malformed';
    if (parsed.owner !== owner) return 'other-wallet';
    const now = this.#now();
    const latest = Math.max(now, this.#firstSecond) + AHEAD_SECONDS_MAX;
    const earliest = Math.max(now - CHALLENGE_SECONDS, this.#firstSecond);
    if (parsed.second < earliest || parsed.second > latest) return 'expired';
    return parsed.second <= (this.#answered.get(owner) ?? 0) ? 'used' : undefined;
  }

  /** Marks a valid challenge and all older ones of its wallet as answered. */
  use(challenge: string): void {
    const { owner, second } = readChallenge(challenge) as NonNullable<ReturnType<typeof readChallenge>>;
    this.#answered.delete(owner);
    this.#answered.set(owner, second);
    this.#forgetOldest();
  }

  /** Drops answers that have expired, and the oldest answers if there are too many. */
  #forgetOldest(): void {
    const earliest = this.#now() - CHALLENGE_SECONDS;
    for (const [owner, second] of this.#answered) {
      if (second >= earliest && this.#answered.size <= ANSWERED_MAX) break;
      this.#answered.delete(owner);
      this.#firstSecond = Math.max(this.#firstSecond, second + 1);
    }
  }

  #now(): number {
    return Math.floor(this.#clock.now() / 1_000);
  }
}
