import { challengeText, readChallenge } from '../../chain/login-challenge.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Address } from '../../solana/address.ts';

/** How long a challenge can be answered, seconds: long enough to read it on a hardware wallet. */
export const CHALLENGE_SECONDS = 120;

/**
 * How far the times of challenges may run ahead of the clock so that several of one wallet in one second
 * differ, seconds. Clients take a challenge for forged when its time is further off than half a minute or so.
 */
export const AHEAD_SECONDS_MAX = 5;

/**
 * Wallets whose answers are remembered. With more of them at once, challenges can be answered for a shorter
 * time.
 */
export const ANSWERED_MAX = 100_000;

/**
 * Wallets whose last challenge is remembered; to forget one costs nothing but that its next one may be the
 * same.
 */
const OPEN_CHALLENGES_MAX = 10_000;

/** Why the answer to a challenge is not accepted. */
export type ChallengeFault = 'malformed' | 'other-wallet' | 'expired' | 'used';

/**
 * Texts that wallets sign to log in. A challenge is its wallet and a second, and every client can work out
 * the one of now, so that nothing is gained by remembering which were given. What counts is that each is
 * answered once and soon: a wallet's newest answer voids all older challenges of it, and is remembered until
 * it is too old anyway.
 */
export class Challenges {
  readonly #clock: Clock;
  /** What was answered before is not remembered: at first whatever was given before the start. */
  #firstSecond: number;
  /** The time of the last challenge of each wallet, those asked for longest ago first. */
  readonly #given = new Map<Address, number>();
  /** The time of the newest answered challenge of each wallet; the order is that of the answers. */
  readonly #answered = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#firstSecond = this.#now() + AHEAD_SECONDS_MAX + 1;
  }

  /** A text for a wallet to sign; the same again only when it asked for many within a second. */
  give(owner: Address): string {
    const present = Math.max(this.#now(), this.#firstSecond);
    const following = Math.max(this.#given.get(owner) ?? 0, this.#answered.get(owner) ?? 0) + 1;
    const second = Math.min(Math.max(present, following), present + AHEAD_SECONDS_MAX);
    this.#given.delete(owner);
    if (this.#given.size >= OPEN_CHALLENGES_MAX)
      this.#given.delete(this.#given.keys().next().value as Address);
    this.#given.set(owner, second);
    return challengeText(owner, second);
  }

  /** Whether the challenge could be answered now by this wallet; undefined when it can. */
  findFault(challenge: string, owner: Address): ChallengeFault | undefined {
    const said = readChallenge(challenge);
    if (said === null) return 'malformed';
    if (said.owner !== owner) return 'other-wallet';
    const now = this.#now();
    const latest = Math.max(now, this.#firstSecond) + AHEAD_SECONDS_MAX;
    const earliest = Math.max(now - CHALLENGE_SECONDS, this.#firstSecond);
    if (said.second < earliest || said.second > latest) return 'expired';
    return said.second <= (this.#answered.get(owner) ?? 0) ? 'used' : undefined;
  }

  /**
   * The challenge, which has no fault, has been answered: neither it nor an older one of its wallet can be
   * again.
   */
  use(challenge: string): void {
    const { owner, second } = readChallenge(challenge) as NonNullable<ReturnType<typeof readChallenge>>;
    this.#answered.delete(owner);
    this.#answered.set(owner, second);
    this.#forgetOldest();
  }

  /** Forgets answers that are too old anyway, and where there are too many others that are made so. */
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
