import type { ErrorCode } from '../../errors/codes.ts';

/** Errors that a login resolves. */
const LOGIN_MENDS: ReadonlySet<ErrorCode> = new Set([
  'MISSING_AUTH_TOKEN',
  'AUTH_REFUSED',
  'READER_NOT_ALLOWED',
]);

/** The transport of the caller's messages. */
type Transport = 'http' | 'stdio';

/**
 * What a model can do about an error that a login resolves; it cannot set a header itself. Empty for other
 * errors.
 *
 * @param hasTestWallets whether the tools of the test wallets are offered.
 */
export function adviseLogin(
  code: ErrorCode,
  transport: Transport,
  hasTestWallets: boolean,
): readonly string[] {
  if (!LOGIN_MENDS.has(code)) return [];
  const wallets = hasTestWallets ? ['For a test wallet on localnet, call localnet.login and ask again'] : [];
  return [...wallets, ADVICE[transport]];
}

const ADVICE: Readonly<Record<Transport, string>> = {
  http: 'You cannot set headers from here: ask whoever configured this server to log in with the wallet (GET /v1/spl/challenge, POST /v1/spl/login) and to add the header "Authorization: Bearer <token>" to its configuration, or AUTH_TOKEN where it is launched as a command',
  stdio:
    'You cannot set the token from here: ask whoever configured this server to set AUTH_TOKEN, or AUTH_TOKEN_FILE, in its environment to the token of a login with the wallet, and to start it again',
};
