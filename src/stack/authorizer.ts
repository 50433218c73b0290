import { type Config, usesApiKeys } from '../config/config.ts';
import { systemClock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { ApiKeyStore } from '../service/auth/api-key-store.ts';
import { ApiKeys } from '../service/auth/api-keys.ts';
import { Authorizer } from '../service/auth/authorize.ts';

type AuthSettings = Pick<Config, 'apiAuth' | 'oauthIssuer' | 'oauthAudience' | 'publicUrl'>;

/** Creates the authorizer that the settings select; undefined if anyone may call the service. */
export async function createAuthorizer(
  config: AuthSettings,
  store: ApiKeyStore,
  logger: Logger,
): Promise<Authorizer | undefined> {
  const { apiAuth, oauthIssuer, oauthAudience, publicUrl } = config;
  if (apiAuth === 'off') return undefined;
  // The clock of a localnet may stand still, but keys and tokens end in real time.
  const clock = systemClock;
  const keys = usesApiKeys(config) ? new ApiKeys(store, clock) : undefined;
  const tokens =
    oauthIssuer === null
      ? undefined
      : // The module is loaded only here, because most services do not use OAuth.
        new (await import('../service/auth/access-tokens.ts')).AccessTokens({
          issuer: oauthIssuer,
          audiences: oauthAudience.length > 0 ? oauthAudience : audiencesOf(publicUrl ?? ''),
          clock,
        });
  return new Authorizer({
    logger,
    clock,
    publicOrigin: publicUrl ?? undefined,
    ...(keys && { keys }),
    ...(tokens && { tokens }),
  });
}

/** Returns the resources of a service (RFC 9728). Some clients write the origin with a slash at its end. */
const audiencesOf = (origin: string): readonly string[] => [origin, `${origin}/`, `${origin}/mcp`];
