/** The token of an `Authorization: Bearer <token>` header (RFC 6750, 2.1); undefined for anything of another form. */
export function readBearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
}
