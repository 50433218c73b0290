/**
 * Refuses a URL whose user or password cannot be decoded: each `%` must begin a byte of UTF-8 in hex.
 *
 * @throws {RangeError} with a message that completes "<NAME> ..." and has nothing of the URL.
 */
export function requireReadableUser({ username, password }: URL): void {
  try {
    decodeURIComponent(username);
    decodeURIComponent(password);
  } catch {
    throw new RangeError('must have %25 for each % of its user and password');
  }
}
