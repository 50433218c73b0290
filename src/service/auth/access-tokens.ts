import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../../ports/clock.ts';
import { type Caller, InvalidCredentials } from './caller.ts';
import { IssuerKeys } from './issuer.ts';

/**
 * Accepted signature algorithms (RFC 7518, RFC 8037, RFC 9864). All are asymmetric: `none` proves nothing,
 * and a public key must never be used as an HMAC secret (RFC 8725 section 3.1).
 */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Accepted `typ` headers: access tokens (RFC 9068), and plain JWTs, which many issuers write. */
const TYPES: ReadonlySet<string> = new Set(['at+jwt', 'jwt']);

/** Accepted difference between the clocks of the issuer and this machine, in seconds. */
const CLOCK_TOLERANCE_SECONDS = 5;

/** Codes of jose's errors about the documents of the issuer, not about the token. */
const OF_THE_ISSUER: ReadonlySet<string> = new Set([
  'ERR_JOSE_GENERIC',
  'ERR_JWKS_INVALID',
  'ERR_JWKS_TIMEOUT',
]);

/** Options of {@link AccessTokens}. */
interface AccessTokensOptions {
  /** The issuer identifier, compared exactly with `iss`. */
  readonly issuer: string;
  /** The accepted audiences. `aud` must contain one of them. */
  readonly audiences: readonly string[];
  readonly clock: Clock;
  /** Reads the documents of the issuer; default the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Verifies access tokens of one OAuth issuer: JWTs with an asymmetric signature. */
export class AccessTokens {
  readonly #options: AccessTokensOptions;
  readonly #keys: IssuerKeys;

  constructor(options: AccessTokensOptions) {
    this.#options = options;
    this.#keys = new IssuerKeys(options.issuer, options.clock, options.fetch);
  }

  get issuer(): string {
    return this.#options.issuer;
  }

  /**
   * Returns the caller that a token represents.
   *
   * @throws {InvalidCredentials} if the token is not valid here.
   * @throws any other error if the token cannot be checked for now.
   */
  async verify(token: string): Promise<Caller> {
    const { issuer, audiences, clock } = this.#options;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#keys.find, {
        issuer,
        audience: [...audiences],
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        // oxlint-disable-next-line no-restricted-globals -- reads the injected clock
        currentDate: new Date(clock.now()),
      });
      const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '') ?? 'jwt';
      if (!TYPES.has(type)) throw new InvalidCredentials('The token is not an access token');
      // The prefix keeps subjects apart from addresses and API keys.
      return { client: `oauth ${payload.sub}`, scopes: scopesOf(payload) };
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || OF_THE_ISSUER.has(error.code)) throw error;
      throw new InvalidCredentials(describeFault(error));
    }
  }
}

/** Describes the fault of a token. Claims are checked after the signature, so forgers learn nothing. */
function describeFault(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The access token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'The access token was issued for another service';
    if (error.claim === 'iss') return 'The access token is from another issuer';
  }
  return 'The access token is not valid';
}

/** Reads the scopes of a token: `scope` (RFC 9068 section 2.2.3), or `scp` as some issuers name it. */
function scopesOf({ scope, scp }: JWTPayload): ReadonlySet<string> {
  const given = scope ?? scp;
  const list = typeof given === 'string' ? given.split(' ') : Array.isArray(given) ? given : [];
  return new Set(list.filter((each): each is string => typeof each === 'string' && each !== ''));
}
