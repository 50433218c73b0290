import type { IncomingMessage } from 'node:http';
import { failureFields } from '../../errors/failure-fields.ts';
import { readBearerToken } from '../../http/bearer-token.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Refusal } from '../refusal.ts';
import { originFor, pathOf } from '../request-head.ts';
import type { AccessTokens } from './access-tokens.ts';
import { type ApiKeys, KEY_PREFIX } from './api-keys.ts';
import { type Caller, InvalidCredentials } from './caller.ts';
import { metadataPathFor } from './resource-metadata.ts';
import { FIRST_SCOPES, permits, type ScopedTool, SCOPES, scopeOf } from './scopes.ts';

/** The result of checking the credentials of a request. */
type Verdict =
  | { readonly caller: Caller; readonly refusal?: undefined }
  | { readonly caller?: undefined; readonly refusal: Refusal };

/** Options of {@link Authorizer}. At least one of `keys` and `tokens` is set. */
interface AuthorizerOptions {
  readonly keys?: Pick<ApiKeys, 'verify'>;
  readonly tokens?: Pick<AccessTokens, 'verify' | 'issuer'>;
  readonly clock: Clock;
  /** Public origin in challenges. Default: the origin that each request was sent to. */
  readonly publicOrigin?: string | undefined;
  readonly logger: Logger;
}

/** Minimum time between two log lines about failures, in ms. Callers could cause one with each request. */
const LOG_MS = 10_000;

/** Seconds after which a caller may retry if its credentials could not be checked. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Authenticates the callers of the API by `Authorization: Bearer` (RFC 6750 section 2.1), with an API key or
 * an OAuth access token, and checks their scopes. The credentials are not passed on to operations.
 */
export class Authorizer {
  readonly #options: AuthorizerOptions;
  /** Time of the last logged failure. */
  #loggedAt = -Infinity;

  constructor(options: AuthorizerOptions) {
    this.#options = options;
  }

  /** The OAuth issuer; undefined if only API keys are accepted. */
  get issuer(): string | undefined {
    return this.#options.tokens?.issuer;
  }

  /** Identifies the caller of a request, or returns the refusal. Never rejects. */
  async authorize(request: IncomingMessage): Promise<Verdict> {
    const token = readBearerToken(request.headers.authorization);
    if (token === undefined) return { refusal: this.#missing(request) };
    if (token === '') return { refusal: this.#malformed(request) };
    const { keys, tokens } = this.#options;
    const checker = token.startsWith(KEY_PREFIX) || tokens === undefined ? keys : tokens;
    try {
      if (checker === undefined) throw new InvalidCredentials('This service does not accept API keys');
      return { caller: await checker.verify(token) };
    } catch (error) {
      if (error instanceof InvalidCredentials) return { refusal: this.#invalid(request, error.message) };
      this.#failed(error);
      return { refusal: UNCHECKED };
    }
  }

  /** Returns the refusal if the caller's scopes do not permit a tool. */
  refuse({ scopes }: Caller, tool: ScopedTool, request: IncomingMessage): Refusal | undefined {
    if (permits(scopes, tool)) return undefined;
    const scope = scopeOf(tool.effect);
    // A client that asks for these scopes does not lose the scopes it has.
    const wanted = SCOPES.filter((each) => each === scope || scopes.has(each));
    const description = `${tool.name} needs the scope ${scope}`;
    return {
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
      title: 'Forbidden',
      detail: `${description}, which your credentials do not have; request credentials that include it`,
      headers: this.#challenge(request, {
        error: 'insufficient_scope',
        error_description: description,
        scope: wanted.join(' '),
      }),
    };
  }

  /** Creates the challenge for missing credentials, which has no error (RFC 6750 section 3.1). */
  #missing(request: IncomingMessage): Refusal {
    return {
      status: 401,
      code: 'CREDENTIALS_MISSING',
      title: 'Unauthorized',
      detail: `This service needs ${this.#accepted()}: send it as "Authorization: Bearer <token>"`,
      headers: this.#challenge(request, { scope: FIRST_SCOPES.join(' ') }),
    };
  }

  #malformed(request: IncomingMessage): Refusal {
    const detail = 'The Authorization header is malformed: send "Authorization: Bearer <token>"';
    return {
      status: 400,
      code: 'CREDENTIALS_MALFORMED',
      title: 'Bad Request',
      detail,
      headers: this.#challenge(request, { error: 'invalid_request' }),
    };
  }

  #invalid(request: IncomingMessage, reason: string): Refusal {
    return {
      status: 401,
      code: 'CREDENTIALS_INVALID',
      title: 'Unauthorized',
      detail: `${reason}: send ${this.#accepted()}`,
      headers: this.#challenge(request, {
        error: 'invalid_token',
        error_description: reason,
        scope: FIRST_SCOPES.join(' '),
      }),
    };
  }

  #accepted(): string {
    const { keys, tokens } = this.#options;
    const accepted = [
      ...(keys ? ['an API key'] : []),
      ...(tokens ? [`an access token of ${tokens.issuer}`] : []),
    ];
    return accepted.join(' or ');
  }

  /** Writes the challenge (RFC 6750 section 3), with the metadata's URL (RFC 9728 section 5.1) for OAuth. */
  #challenge(request: IncomingMessage, parameters: Readonly<Record<string, string>>): readonly string[] {
    const { tokens, publicOrigin } = this.#options;
    const path = metadataPathFor(pathOf(request.url ?? ''));
    const all = {
      realm: 'spl-private-payments',
      ...parameters,
      ...(tokens && { resource_metadata: `${originFor(request, publicOrigin)}${path}` }),
    };
    const written = Object.entries(all).map(([name, value]) => `${name}="${value.replaceAll(/["\\]/g, '')}"`);
    return ['www-authenticate', `Bearer ${written.join(', ')}`];
  }

  #failed(error: unknown): void {
    const { clock, logger } = this.#options;
    if (clock.now() - this.#loggedAt < LOG_MS) return;
    this.#loggedAt = clock.now();
    logger.error(failureFields(error), 'credentials cannot be checked: requests are refused until they can');
  }
}

/** Refusal of a request whose credentials cannot be checked. An outage must not open the service. */
const UNCHECKED: Refusal = {
  status: 503,
  code: 'CREDENTIALS_UNCHECKED',
  title: 'Service Unavailable',
  detail: `Your credentials currently cannot be checked; try again in ${RETRY_AFTER_SECONDS} s`,
  headers: ['retry-after', String(RETRY_AFTER_SECONDS)],
};
