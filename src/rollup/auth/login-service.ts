import type { Clock } from '../../ports/clock.ts';
import { type Address, addressBytes, decodeKey } from '../../solana/address.ts';
import { SIGNATURE_BYTES, SIGNATURE_TEXT_MAX } from '../../solana/signature.ts';
import { isStrictlySigned } from '../../solana/strict-signature.ts';
import { type ChallengeFault, Challenges } from './challenges.ts';
import { type IssuedToken, Tokens } from './tokens.ts';

/** Why a login is refused. */
export type LoginFault = ChallengeFault | 'wrong-signature';

/** What a wallet hands in to log in. */
export interface LoginAnswer {
  readonly owner: Address;
  readonly challenge: string;
  /** base58 of the ed25519 signature over the challenge's UTF-8 bytes. */
  readonly signature: string;
}

/** What a {@link LoginService} needs. */
interface LoginServiceOptions {
  /** At least 32 bytes, the same for as long as tokens are to be good. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
  /** Who may read an account; null where everybody may. */
  readonly readersOf: (account: Address) => readonly Address[] | null;
}

/** Lets wallets log in to read their private accounts. Stores no token and logs nothing. */
export class LoginService {
  readonly #challenges: Challenges;
  readonly #tokens: Tokens;
  /**
   * Who may read an account; null where everybody may. Whoever asks is told: the base ledger shows it to all.
   */
  readonly readersOf: LoginServiceOptions['readersOf'];

  constructor({ secret, clock, readersOf }: LoginServiceOptions) {
    this.#challenges = new Challenges(clock);
    this.#tokens = new Tokens(secret, clock);
    this.readersOf = readersOf;
  }

  /** A text for the wallet to sign. */
  challenge(owner: Address): string {
    return this.#challenges.give(owner);
  }

  /** A token for a wallet that has signed its challenge, or why there is none. */
  login({ owner, challenge, signature }: LoginAnswer): IssuedToken | LoginFault {
    const fault = this.#challenges.findFault(challenge, owner);
    if (fault !== undefined) return fault;
    // A wrong answer uses nothing up: challenges are no secret, and anybody could spoil those of others.
    if (!isSignedBy(owner, challenge, signature)) return 'wrong-signature';
    this.#challenges.use(challenge);
    return this.#tokens.issue(owner);
  }

  /** Whose token it is; undefined for one that is not ours, or not good any more. */
  readerOf(token: string): Address | undefined {
    return this.#tokens.holderOf(token);
  }
}

/**
 * Whether a wallet has signed the UTF-8 bytes of a text, as strictly as the network checks signatures.
 *
 * @param signature base58.
 */
export function isSignedBy(owner: Address, text: string, signature: string): boolean {
  const bytes = decodeKey(signature, SIGNATURE_BYTES, SIGNATURE_TEXT_MAX);
  if (typeof bytes === 'string') return false;
  return isStrictlySigned(addressBytes(owner), Buffer.from(text, 'utf8'), bytes);
}
