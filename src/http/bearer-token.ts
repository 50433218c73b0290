/**
 * Reads the token of an `Authorization: Bearer <token>` header. The scheme is case-insensitive (RFC 9110
 * section 11.4, RFC 6750 section 2.1). Returns undefined if the header is absent or has a different scheme.
 * Returns the empty string, which is never a valid token, if the header is malformed.
 */
export function readBearerToken(authorization: string | undefined): string | undefined {
  const bearer = BEARER.exec(authorization ?? '');
  return bearer === null ? undefined : (bearer[1] ?? '');
}

const BEARER = /^bearer(?: +([A-Za-z0-9._~+/-]+=*) *$|)/i;
