import { ServiceError } from '../errors/service-error.ts';
import { systemTimer } from '../ports/timer.ts';
import { readAddress } from './address-setting.ts';
import type { Rollup } from './chain.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import type { ClusterPorts } from './create-clusters.ts';
import { createHttpTransport } from './upstream/http-transport.ts';
import { RpcRollup } from './upstream/rpc-rollup.ts';

const VALIDATOR = { key: 'ephemeralValidator', variable: 'EPHEMERAL_VALIDATOR' } as const;

/** A rollup of localnet that runs in another program. */
interface ExternalRollup {
  readonly rollup: Rollup;
  /** Stops background work and closes connections. Call it only when no request is in flight. */
  close(): void;
}

/**
 * Opens the rollup at `EPHEMERAL_RPC_URL` for localnet: MagicBlock's ephemeral validator with this node as
 * its base chain. It has no login. No connection is opened before it is needed.
 *
 * @throws {ServiceError} CONFIG_INVALID if the URL is not set, or if `EPHEMERAL_VALIDATOR` is not an address.
 */
export function openExternalRollup(
  settings: Pick<ClusterSettings, 'ephemeralRpcUrl' | 'ephemeralPublicUrl' | 'ephemeralValidator'>,
  { clock, random, logger, timer = systemTimer }: Omit<ClusterPorts, 'localnet' | 'resolveHost'>,
): ExternalRollup {
  const urls = settings.ephemeralRpcUrl.reveal();
  if (urls.length === 0) {
    throw new ServiceError('CONFIG_INVALID', 'ROLLUP is external: set EPHEMERAL_RPC_URL to where it listens');
  }
  const transport = createHttpTransport();
  const place = {
    urls,
    publicUrl: settings.ephemeralPublicUrl,
    hasLogin: false,
    validator: readAddress(settings, VALIDATOR),
    validatorVariable: VALIDATOR.variable,
  };
  const rollup = new RpcRollup('the rollup of localnet', place, { clock, random, logger, timer, transport });
  return {
    rollup,
    close() {
      rollup.close();
      transport.close();
    },
  };
}
