import type { AuthToken, LoginProof, RollupAuth } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Address, addressBytes, decodeKey } from '../../solana/address.ts';
import { SIGNATURE_BYTES, SIGNATURE_TEXT_MAX } from '../../solana/signature.ts';
import { isStrictlySigned } from '../../solana/strict-signature.ts';
import { CHALLENGE_SECONDS, type ChallengeFault, Challenges } from './challenges.ts';
import { type IssuedToken, Tokens } from './tokens.ts';

interface LoginAnswer {
  readonly owner: Address;
  readonly challenge: string;
  /** The ed25519 signature over the challenge's UTF-8 bytes, base58. */
  readonly signature: string;
}

interface LoginServiceOptions {
  /** At least 32 bytes. A new secret invalidates all tokens. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
  /** Returns the wallets that may read an account; null if everyone may. */
  readonly readersOf: (account: Address) => readonly Address[] | null;
}

/** Lets wallets log in to read their private accounts. Stores no tokens and logs nothing. */
export class LoginService {
  readonly #challenges: Challenges;
  readonly #tokens: Tokens;
  /** The wallets that may read an account; null if everyone may. Base already publishes this list. */
  readonly readersOf: LoginServiceOptions['readersOf'];

  constructor({ secret, clock, readersOf }: LoginServiceOptions) {
    this.#challenges = new Challenges(clock);
    this.#tokens = new Tokens(secret, clock);
    this.readersOf = readersOf;
  }

  /** Returns a text for the wallet to sign. */
  challenge(owner: Address): string {
    return this.#challenges.give(owner);
  }

  /** Returns a token for a wallet that has signed its challenge, or the reason for the rejection. */
  login({ owner, challenge, signature }: LoginAnswer): IssuedToken | { readonly refusal: string } {
    const fault = this.#challenges.findFault(challenge, owner);
    if (fault !== undefined) return { refusal: WORDS[fault] };
    // A wrong signature does not use up the challenge, because anyone can send one for any wallet.
    if (!isSignedBy(owner, challenge, signature)) return { refusal: WORDS['wrong-signature'] };
    this.#challenges.use(challenge);
    return this.#tokens.issue(owner);
  }

  /** Returns the owner of a token; undefined if the token is invalid or has expired. */
  readerOf(token: string): Address | undefined {
    return this.#tokens.holderOf(token);
  }
}

const WORDS: Record<ChallengeFault | 'wrong-signature', string> = {
  malformed: 'the challenge was not issued by this service',
  'other-wallet': 'the challenge is for another wallet',
  expired: `the challenge expired after ${CHALLENGE_SECONDS} seconds`,
  used: 'the challenge, or a newer one for the wallet, was already used; a wallet can log in six times at once, then once per second',
  'wrong-signature': 'the signature is not an ed25519 signature of the challenge by the wallet, in base58',
};

/**
 * Whether a wallet signed the UTF-8 bytes of a text. Applies the strict rules of the network.
 *
 * @param signature base58.
 */
export function isSignedBy(owner: Address, text: string, signature: string): boolean {
  const bytes = decodeKey(signature, SIGNATURE_BYTES, SIGNATURE_TEXT_MAX);
  if (typeof bytes === 'string') return false;
  return isStrictlySigned(addressBytes(owner), Buffer.from(text, 'utf8'), bytes);
}

/** Creates the login service that this process's payment operations use. */
export function createRollupAuth(logins: LoginService): RollupAuth {
  return {
    async challenge(owner: Address): Promise<string> {
      return logins.challenge(owner);
    },
    async login(proof: LoginProof): Promise<AuthToken> {
      const answer = logins.login(proof);
      if ('token' in answer) return answer;
      const what = `The rollup rejected the login: ${answer.refusal}`;
      throw new ServiceError(
        'AUTH_REFUSED',
        `${what}; request a new challenge and sign it with the wallet whose address is in pubkey`,
      );
    },
    async authorizedUsers(account: Address, token: string): Promise<readonly Address[] | null> {
      if (logins.readerOf(token) !== undefined) return logins.readersOf(account);
      throw new ServiceError(
        'AUTH_REFUSED',
        'The token is invalid on this rollup or has expired; log in again',
      );
    },
  };
}
