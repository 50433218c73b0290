import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../ports/clock.ts';

/** Timeout of one request to the issuer, in ms. */
const TIMEOUT_MS = 5_000;

/** Maximum size of a document of the issuer, in bytes. Real documents have less than 20 KB. */
const DOCUMENT_BYTES_MAX = 256 * 1024;

/** Pause after a failed request, in ms. Requests without keys fail immediately during the pause. */
const PAUSE_MS = 1_000;

/** Thrown if the issuer cannot be reached or its documents cannot be used. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

/**
 * The signing keys of an OAuth issuer. They are discovered at first use, cached for 10 minutes, and read
 * again at most every 30 s if a token names an unknown key (the defaults of jose).
 *
 * Only URLs with the issuer's own origin are requested, and redirects are not followed, so neither a token
 * nor a document of the issuer can make the service call another host.
 */
export class IssuerKeys {
  readonly #issuer: string;
  readonly #clock: Clock;
  readonly #fetch: typeof globalThis.fetch;
  #failedAt = -Infinity;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(issuer: string, clock: Clock, fetch: typeof globalThis.fetch = globalThis.fetch) {
    this.#issuer = issuer;
    this.#clock = clock;
    this.#fetch = fetch;
  }

  /**
   * Finds the key that verifies a token.
   *
   * @throws {IssuerUnavailable} if the keys cannot be read.
   * @throws the errors of jose.
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    this.#keys ??= this.#discover().catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    const find = await this.#keys;
    return await find(header, token);
  };

  async #discover(): Promise<JWTVerifyGetKey> {
    let last: unknown;
    for (const url of metadataUrls(this.#issuer)) {
      try {
        return this.#keysOf((await this.#read(url)) as Metadata | null);
      } catch (error) {
        last = error;
      }
    }
    this.#failedAt = this.#now();
    throw last;
  }

  #keysOf(metadata: Metadata | null): JWTVerifyGetKey {
    // RFC 8414 section 3.3: another issuer's metadata must not be used.
    if (metadata?.issuer !== this.#issuer) throw new IssuerUnavailable('the metadata names another issuer');
    const { jwks_uri: uri } = metadata;
    if (typeof uri !== 'string' || !URL.canParse(uri)) throw new IssuerUnavailable('there is no jwks_uri');
    const url = new URL(uri);
    if (url.origin !== new URL(this.#issuer).origin)
      throw new IssuerUnavailable('jwks_uri and the issuer have different origins');
    return createRemoteJWKSet(url, {
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: async (href) => {
        try {
          return Response.json(await this.#read(href));
        } catch (error) {
          this.#failedAt = this.#now();
          throw error;
        }
      },
    });
  }

  async #read(url: string): Promise<unknown> {
    if (this.#now() - this.#failedAt < PAUSE_MS) throw new IssuerUnavailable('the last request failed');
    try {
      const response = await this.#fetch(url, {
        headers: { accept: 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (response.status !== 200) throw new IssuerUnavailable(`${url} answered HTTP ${response.status}`);
      return JSON.parse(await readText(response)) as unknown;
    } catch (cause) {
      if (cause instanceof IssuerUnavailable) throw cause;
      throw new IssuerUnavailable(`${url} cannot be read`, { cause });
    }
  }

  #now(): number {
    return this.#clock.steady?.() ?? this.#clock.now();
  }
}

/** The used members of an issuer's metadata (RFC 8414 section 2), unchecked. */
interface Metadata {
  readonly issuer?: unknown;
  readonly jwks_uri?: unknown;
}

/** Returns the URLs of the metadata: of RFC 8414 section 3.1, then of OpenID Connect Discovery 1.0. */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

/** Reads a body of limited size as text. */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > DOCUMENT_BYTES_MAX)
      throw new IssuerUnavailable(`a document exceeds ${DOCUMENT_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
