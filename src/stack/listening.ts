import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import { createHostGuard, type HostVerdict } from '../http/host-guard.ts';
import { openListener, type Listener } from '../http/listener.ts';

/** How many pairs of free ports are tried. */
const PAIR_ATTEMPTS_MAX = 32;

/** The host guard of the settings: pages of `PUBLIC_URL` may call too. */
export function guardOf(config: Config): (request: IncomingMessage) => HostVerdict {
  const { host, allowedHosts, allowedOrigins, publicUrl } = config;
  const origins = publicUrl === null ? allowedOrigins : [...allowedOrigins, publicUrl];
  return createHostGuard({ boundHost: host, allowedHosts, allowedOrigins: origins });
}

/**
 * Binds the port that `variable` names.
 *
 * @throws {ServiceError} PORT_IN_USE; CONFIG_INVALID when it cannot be had for another reason.
 */
export async function listen(config: Config, variable: string, port: number): Promise<Listener> {
  const { host, connectionsPerAddress } = config;
  try {
    return await openListener(host, port, connectionsPerAddress);
  } catch (error) {
    throw explain(error, host, variable, port);
  }
}

/**
 * Binds the port that `variable` names and the next one, where Solana clients expect its WebSocket. For port
 * 0 it finds two adjacent free ports.
 *
 * @throws {ServiceError} PORT_IN_USE; CONFIG_INVALID when one of them cannot be had for another reason.
 */
export async function listenWithNext(
  config: Config,
  variable: string,
  port: number,
): Promise<readonly [Listener, Listener]> {
  for (let attempt = 1; ; attempt += 1) {
    const first = await listen(config, variable, port);
    try {
      return [first, await openListener(config.host, first.port + 1, config.connectionsPerAddress)];
    } catch (error) {
      await first.close();
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE' || first.port === 65_535;
      if (port === 0 && isTaken && attempt < PAIR_ATTEMPTS_MAX) continue;
      throw explain(error, config.host, `The port after ${variable},`, first.port + 1);
    }
  }
}

function explain(error: unknown, host: string, variable: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EADDRINUSE: `${variable} ${port} is in use on ${host}: stop the other program or choose another port (0 takes a free one)`,
    EACCES: `${variable} ${port} is not open to this user: choose a port above 1023`,
    EADDRNOTAVAIL: `HOST ${host} is no address of this machine: choose one that is`,
    ENOTFOUND: `HOST ${host} cannot be resolved: choose an address of this machine`,
  };
  const reason = code === undefined ? undefined : reasons[code];
  if (reason === undefined) return error;
  const kind = code === 'EADDRINUSE' ? 'PORT_IN_USE' : 'CONFIG_INVALID';
  return new ServiceError(kind, reason, {}, { cause: error as Error });
}
