import { createHmac, timingSafeEqual } from 'node:crypto';
import { tryParseJson } from '../../json/parse-json.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Address, isAddress } from '../../solana/address.ts';

/** Lifetime of a token, in ms. */
export const TOKEN_LIFETIME_MS = 24 * 60 * 60_000;

/** Maximum length of an accepted token, in characters. Issued tokens have about 200. */
const TOKEN_MAX = 1_024;

/** Maximum number of cached tokens. The cache saves a signature check for every call and event. */
const CHECKED_MAX = 10_000;

/** Minimum length of the secret, in bytes (RFC 7518 section 3.2: no shorter than the hash). */
const SECRET_BYTES_MIN = 32;

/** The first part of every token. Other headers are rejected, so no one can choose the algorithm. */
const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

/** A token and its expiry. */
export interface IssuedToken {
  readonly token: string;
  /** Expiry, Unix ms. */
  readonly expiresAt: number;
}

/**
 * JSON Web Tokens that name their holder, with the claims `pubkey`, `iat` and `exp` that clients of
 * MagicBlock's service expect. They are signed with HMAC-SHA256 and not stored.
 */
export class Tokens {
  readonly #secret: Uint8Array;
  readonly #clock: Clock;
  readonly #checked = new Map<string, Claims>();
  /** The latest time read from the clock, Unix ms. */
  #latest = 0;

  /** @param secret at least 32 bytes. A new secret invalidates all tokens. */
  constructor(secret: Uint8Array, clock: Clock) {
    if (secret.length < SECRET_BYTES_MIN) throw new TypeError('the secret is too short');
    this.#secret = secret;
    this.#clock = clock;
  }

  issue(pubkey: Address): IssuedToken {
    const nowSeconds = Math.floor(this.#now() / 1_000);
    const exp = nowSeconds + TOKEN_LIFETIME_MS / 1_000;
    const signed = `${HEADER}.${encode({ pubkey, iat: nowSeconds, exp })}`;
    return { token: `${signed}.${this.#sign(signed)}`, expiresAt: exp * 1_000 };
  }

  /** Returns the owner of a token; undefined if the token is invalid or has expired. */
  holderOf(token: string): Address | undefined {
    const now = this.#now();
    const claims = this.#checked.get(token) ?? this.#check(token);
    return claims === undefined || claims.exp * 1_000 <= now ? undefined : claims.pubkey;
  }

  /** Returns the claims of a token with a valid signature; undefined otherwise. */
  #check(token: string): Claims | undefined {
    if (token.length > TOKEN_MAX || !token.startsWith(`${HEADER}.`)) return undefined;
    const signedLength = token.lastIndexOf('.');
    const given = Buffer.from(token.slice(signedLength + 1));
    const expected = Buffer.from(this.#sign(token.slice(0, signedLength)));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const claims = decode(token.slice(HEADER.length + 1, signedLength));
    if (claims === undefined) return undefined;
    if (this.#checked.size >= CHECKED_MAX) this.#checked.clear();
    this.#checked.set(token, claims);
    return claims;
  }

  /** Returns a time that never goes back, even if the clock does, so expired tokens stay expired. */
  #now(): number {
    this.#latest = Math.max(this.#latest, this.#clock.now());
    return this.#latest;
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }
}

interface Claims {
  readonly pubkey: Address;
  /** Expiry, Unix seconds (RFC 7519). */
  readonly exp: number;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Parses and validates signed claims. The secret may also have signed something else. */
function decode(part: string): Claims | undefined {
  const claims = tryParseJson(Buffer.from(part, 'base64url').toString());
  const { pubkey, exp } = Object(claims) as Record<string, unknown>;
  return typeof pubkey === 'string' && isAddress(pubkey) && typeof exp === 'number' && Number.isFinite(exp)
    ? { pubkey, exp }
    : undefined;
}
