import type { Config } from '../config/config.ts';

/** The user's own bearer token as options take it; nothing where there is none. */
export function tokenOf({ authToken }: Pick<Config, 'authToken'>): { readonly token?: string } {
  return authToken === null ? {} : { token: authToken.reveal() };
}
