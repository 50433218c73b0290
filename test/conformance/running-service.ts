import { createHostGuard, type HostGuardOptions } from '../../src/http/host-guard.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { type Logger, silentLogger } from '../../src/ports/logger.ts';
import { systemRandom } from '../../src/ports/random.ts';
import { createServiceHandler, type ServiceOptions } from '../../src/service/service-handler.ts';
import { FIXTURE_OPERATIONS } from './fixture-operations.ts';

/** Starts a service with the fixture operations on a free loopback port. */
export function startService(
  options: Partial<ServiceOptions> = {},
  guard: Partial<HostGuardOptions> = {},
): Promise<HttpServer> {
  const hostGuard = createHostGuard({
    boundHost: '127.0.0.1',
    allowedHosts: [],
    allowedOrigins: [],
    ...guard,
  });
  const handler = createServiceHandler({
    operations: FIXTURE_OPERATIONS,
    hostGuard,
    logger: silentLogger,
    random: systemRandom,
    ...options,
  });
  return startHttpServer('127.0.0.1', 0, handler);
}

/** Creates a logger that records error lines as JSON. */
export function recordErrors(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    ...silentLogger,
    lines,
    error: (fields, message) => lines.push(JSON.stringify({ ...fields, message })),
  };
}
