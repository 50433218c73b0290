import { describe, expect, it } from 'vitest';
import { MapChain } from '../../test/ports/map-chain.ts';
import { CLUSTER_NAMES } from '../config/cluster-variables.ts';
import { readConfig, VARIABLES } from '../config/config.ts';
import { isServiceError, type ServiceError } from '../errors/service-error.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { USDC_DEVNET_MINT, USDC_MINT } from '../programs/addresses.ts';
import { CLUSTER_ROWS, type ClusterSettings, CUSTOM_ROW } from './cluster-settings.ts';
import { type Clusters, createClusters } from './clusters.ts';
import { clusterSettings } from './testing/cluster-settings.ts';
import { HandTime } from './testing/hand-time.ts';

const VALIDATOR = 'MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57';

const ALL = {
  BASE_RPC_URL: 'https://base.example/k3y',
  EPHEMERAL_RPC_URL: 'https://er.example',
  EPHEMERAL_TEE_RPC_URL: 'https://tee.example/?token=k3y',
  BASE_DEVNET_RPC_URL: 'https://base-dev.example',
  EPHEMERAL_DEVNET_RPC_URL: 'https://er-dev.example/k3y',
  EPHEMERAL_DEVNET_TEE_RPC_URL: 'https://tee-dev.example',
};

function open(settings: ClusterSettings): Clusters {
  const time = new HandTime();
  return createClusters(settings, {
    clock: time,
    timer: { after: (_delayMs, run) => (setImmediate(run), () => {}) },
    random: systemRandom,
    logger: silentLogger,
    localnet: new MapChain(),
  });
}

function faultOf(run: () => unknown): ServiceError {
  try {
    run();
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
  throw new Error('nothing was wrong');
}

describe('createClusters', () => {
  it('offers only localnet if nothing is configured', () => {
    const clusters = open(readConfig({}));
    expect(clusters.names).toEqual(['localnet']);
    expect(clusters.resolve(undefined).network).toBe('localnet');
  });

  it('offers all configured networks, the default first', () => {
    const clusters = open(readConfig({ ...ALL, CLUSTER: 'devnet' }));
    expect(clusters.names).toEqual(['devnet', 'localnet', 'mainnet', 'mainnet-private', 'devnet-private']);
    expect(clusters.resolve(undefined).cluster).toBe('devnet');
    expect(clusters.resolve(' Mainnet-Private ')).toMatchObject({
      cluster: 'mainnet-private',
      network: 'mainnet',
      layout: 'b',
      defaultMint: USDC_MINT,
      transferLookupTable: '54M1BrqVSg1UGTmhH44gQPsPVyuMpmcVBkaY2wYNSVZB',
      rollup: { publicUrl: null },
    });
    expect(clusters.resolve('devnet-private')).toMatchObject({
      network: 'devnet',
      defaultMint: USDC_DEVNET_MINT,
      transferLookupTable: 'E26JGdRsdKkGe6oRU4Un24agZjBF2Bg9z1ctfZByETRo',
      rollup: { publicUrl: 'https://tee-dev.example' },
    });
    const withLogin = clusters.names.filter((name) => (clusters.resolve(name).rollup?.auth ?? null) !== null);
    expect(withLogin).toEqual(['mainnet-private', 'devnet-private']);
    expect(clusters.resolve('mainnet').rollup?.publicUrl).toBe('https://er.example');
    expect(clusters.resolve('devnet').rollup?.publicUrl).toBeNull();
  });

  it('reads layout, public URL and validator of each network from its own variables', async () => {
    const clusters = open(
      readConfig({
        ...ALL,
        EPHEMERAL_RPC_URL: 'http://127.0.0.1:1/',
        EPHEMERAL_TEE_RPC_URL: 'http://127.0.0.1:1/',
        BASE_DEVNET_LAYOUT: 'a',
        EPHEMERAL_TEE_PUBLIC_URL: 'https://tee.shown.example',
        EPHEMERAL_TEE_VALIDATOR: VALIDATOR,
      }),
    );
    expect(clusters.resolve('devnet').layout).toBe('a');
    expect(clusters.resolve('mainnet').layout).toBe('b');
    expect(clusters.resolve('mainnet-private').rollup?.publicUrl).toBe('https://tee.shown.example');
    expect(await clusters.resolve('mainnet-private').validatorIdentity()).toBe(VALIDATOR);
    await expect(clusters.resolve('mainnet').validatorIdentity()).rejects.toMatchObject({
      code: 'VALIDATOR_UNRESOLVED',
      message: expect.stringContaining('EPHEMERAL_VALIDATOR'),
    });
    clusters.close();
  });

  it('names the missing variables of a known cluster', () => {
    const { EPHEMERAL_DEVNET_TEE_RPC_URL, ...rest } = ALL;
    expect(EPHEMERAL_DEVNET_TEE_RPC_URL).toBeDefined();
    const partly = open(readConfig(rest));
    const fault = faultOf(() => partly.resolve('devnet-private'));
    expect(fault).toMatchObject({
      code: 'CLUSTER_NOT_ALLOWED',
      context: { field: 'cluster', missing: ['EPHEMERAL_DEVNET_TEE_RPC_URL'] },
    });
    const none = open(readConfig({}));
    expect(faultOf(() => none.resolve('mainnet')).message).toBe(
      'cluster mainnet is not configured on this service (missing: BASE_RPC_URL, EPHEMERAL_RPC_URL); pass one of: localnet',
    );
    expect(faultOf(() => none.resolve('mainet')).message).toBe('cluster must be one of: localnet');
    expect(faultOf(() => none.resolve('custom')).message).toBe('cluster must be one of: localnet');
  });

  it.each([
    [{ CLUSTER: 'mainnet' }, 'set BASE_RPC_URL and EPHEMERAL_RPC_URL'],
    [{ BASE_RPC_URL: 'https://k3y.example' }, 'CLUSTER mainnet is not configured: set EPHEMERAL_RPC_URL'],
    [
      { ...ALL, EPHEMERAL_TEE_VALIDATOR: 'z'.repeat(44) },
      'EPHEMERAL_TEE_VALIDATOR must be a base58 Solana address',
    ],
    [
      { CLUSTER_ALLOWED_HOSTS: 'rpc.example:0' },
      'CLUSTER_ALLOWED_HOSTS contains rpc.example:0, which is not a host: use a name such as rpc.example.com',
    ],
  ] as [Record<string, string>, string][])('rejects %o', (env, message) => {
    const fault = faultOf(() => open(readConfig(env)));
    expect(fault).toMatchObject({ code: 'CONFIG_INVALID' });
    expect(fault.message).toContain(message);
    expect(fault.message).not.toContain('k3y');
  });

  it('has no localnet without an embedded ledger', () => {
    const time = new HandTime();
    const ports = { clock: time, random: systemRandom, logger: silentLogger, localnet: null };
    expect(createClusters(readConfig(ALL), ports).names).not.toContain('localnet');
    expect(faultOf(() => createClusters(clusterSettings(), ports))).toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it("offers custom if it is the default, with mainnet's URLs but none of its constants", () => {
    const clusters = open(readConfig({ ...ALL, CLUSTER: 'custom', BASE_LAYOUT: 'a' }));
    expect(clusters.resolve(undefined)).toMatchObject({
      cluster: 'custom',
      network: 'custom',
      layout: 'a',
      defaultMint: USDC_MINT,
      transferLookupTable: null,
    });
    expect(clusters.resolve('mainnet').network).toBe('mainnet');
  });
});

describe('the table of clusters', () => {
  it('contains the clusters that CLUSTER may name', () => {
    const names = ['localnet', ...CLUSTER_ROWS.map(({ name }) => name), CUSTOM_ROW.name];
    expect(names).toEqual([...CLUSTER_NAMES]);
  });

  it('names the variable of each setting', () => {
    for (const { base, ephemeral, validator, lookupTable } of [...CLUSTER_ROWS, CUSTOM_ROW]) {
      for (const setting of [base, ephemeral, validator, ...(lookupTable === null ? [] : [lookupTable])]) {
        expect(VARIABLES[setting.key].name).toBe(setting.variable);
      }
    }
  });
});
