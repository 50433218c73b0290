import type { Config } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../ports/logger.ts';
import { bridgeStdio, endpointOf } from '../service/mcp/bridge.ts';
import { EXIT_CODES } from '../supervisor/exit-codes.ts';
import type { Host } from '../supervisor/host.ts';
import { tokenOf } from './mcp-mode.ts';
import { isPrivateWay } from './private-way.ts';

/**
 * Forwards every message to a running service, and exits when either side closes.
 *
 * @throws {ServiceError} CONFIG_INVALID if a token would be sent unencrypted over a network.
 */
export async function runBridge(
  serviceUrl: URL,
  config: Config,
  { host, logger }: { readonly host: Host; readonly logger: Logger },
): Promise<void> {
  const { stdin: input, stdout: output } = process;
  const { authToken, serviceToken } = config;
  const secret = serviceToken !== null ? 'SERVICE_TOKEN' : authToken !== null ? 'AUTH_TOKEN' : null;
  if (secret !== null && !isPrivateWay(endpointOf(serviceUrl))) {
    throw new ServiceError(
      'CONFIG_INVALID',
      `${secret} would be sent unencrypted: pass mcp --url an https URL, or the URL of a service on this machine`,
    );
  }
  const bridge = bridgeStdio({
    serviceUrl,
    input,
    output,
    ...tokenOf(config),
    ...(serviceToken !== null && { apiKey: serviceToken.reveal() }),
  });
  logger.info({ service: serviceUrl.origin }, 'forwarding to a running service');
  host.reportReady({});
  host.stopping.addEventListener('abort', () => void bridge.close());
  if (host.stopping.aborted) void bridge.close();
  await bridge.done;
  process.exit(EXIT_CODES.done);
}
