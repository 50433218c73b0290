import { CLUSTER_ROWS } from '../chain/cluster-settings.ts';
import { Clusters } from '../chain/clusters.ts';
import { RpcChain } from '../chain/upstream/rpc-ledger-client.ts';
import { RpcRollup } from '../chain/upstream/rpc-rollup.ts';
import { createHttpTransport } from '../chain/upstream/transport.ts';
import type { UpstreamPorts } from '../chain/upstream/upstream.ts';
import { requireReadableUser } from '../config/variable.ts';
import { systemClock } from '../ports/clock.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { systemTimer, waitingTimer } from '../ports/timer.ts';
import { USDC_MINT } from '../programs/addresses.ts';
import type { KitOptions } from './payments.ts';

interface TrustedLedgers {
  readonly clusters: Clusters;
  /** Closes the connections. Call it only when no request is in flight. */
  close(): void;
}

/** Facts about localnet that a client does not read from a node. */
const LOCALNET = { network: 'localnet', hasLogin: true, defaultMint: USDC_MINT } as const;

/**
 * Creates clients for the trusted nodes. Connections open only when needed.
 *
 * @throws {TypeError} for an unknown cluster or an invalid URL.
 */
export function openTrustedLedgers(options: KitOptions): TrustedLedgers {
  const { cluster = 'localnet', layout } = options;
  const isLocal = cluster === 'localnet';
  const facts = isLocal ? LOCALNET : CLUSTER_ROWS.find(({ name }) => name === cluster);
  if (facts === undefined) {
    const names = ['localnet', ...CLUSTER_ROWS.map(({ name }) => name)];
    throw new TypeError(`cluster must be one of: ${names.join(', ')}`);
  }
  const { network, hasLogin, defaultMint } = facts;
  const transport = createHttpTransport();
  const ports: UpstreamPorts = {
    transport,
    clock: systemClock,
    random: systemRandom,
    timer: systemTimer,
    // Keep a script alive while it waits for an unreachable node.
    pauses: waitingTimer,
    logger: silentLogger,
  };
  // The rollup reports its validator, which the caller can restrict with limits.validators.
  const unset = { validator: null, validatorVariable: 'limits.validators' };
  const place = { publicUrl: null, hasLogin, ...unset };
  const rollup =
    options.rollup === undefined
      ? null
      : new RpcRollup(
          `the rollup of ${cluster}`,
          { urls: [urlOf('rollup', options.rollup)], ...place },
          ports,
        );
  // On localnet's rollup, token accounts never change owners.
  if (rollup !== null && isLocal) Object.assign(rollup, { keepsHolders: true });
  const chain = new RpcChain(
    {
      cluster,
      network,
      layout: layout ?? (isLocal ? 'a' : 'b'),
      defaultMint,
      transferLookupTable: null,
      defaultValidator: null,
      validatorVariable: unset.validatorVariable,
    },
    [urlOf('base', options.base)],
    rollup,
    ports,
  );
  return {
    clusters: new Clusters([chain]),
    close: () => {
      chain.close();
      rollup?.close();
      transport.close();
    },
  };
}

function urlOf(name: string, url: string | URL): URL {
  const text = String(url);
  if (!URL.canParse(text) || !/^https?:/i.test(text)) {
    throw new TypeError(`${name} must be the http(s) URL of a JSON-RPC node`);
  }
  const parsed = new URL(text);
  try {
    requireReadableUser(parsed);
  } catch (error) {
    throw new TypeError(`${name} ${(error as RangeError).message}`, { cause: error });
  }
  return parsed;
}
