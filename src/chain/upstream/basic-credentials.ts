/**
 * User and password of a URL as HTTP's basic authentication sends them (RFC 7617): the base64 of
 * `user:password`, without their percent-encoding. Null for a URL with neither.
 *
 * @throws {URIError} where their percent-encoding is of no text.
 */
export function basicCredentialsOf({ username, password }: URL): string | null {
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return user === ':' ? null : Buffer.from(user).toString('base64');
}
