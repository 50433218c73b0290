/**
 * The token of an `Authorization: Bearer <token>` header, its scheme in any case (RFC 9110 section 11.4, RFC
 * 6750 section 2.1); undefined without a header of that scheme. A malformed one yields the empty token, which
 * is never valid.
 */
export function readBearerToken(authorization: string | undefined): string | undefined {
  const bearer = BEARER.exec(authorization ?? '');
  return bearer === null ? undefined : (bearer[1] ?? '');
}

/** The scheme, spaces and a token; or the scheme and whatever follows. */
const BEARER = /^bearer(?: +([A-Za-z0-9._~+/-]+=*) *$|)/i;
