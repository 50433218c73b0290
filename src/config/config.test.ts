import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isServiceError } from '../errors/service-error.ts';
import { RPC_URL_KEYS } from './cluster-variables.ts';
import { isGateway, readConfig, VARIABLES } from './config.ts';
import { parseHttpUrl } from './variable.ts';

function faultsOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (isServiceError(error, 'CONFIG_INVALID')) return error.message;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

const GATEWAY = { LEDGER_UPSTREAM_URL: 'https://a.example' };

describe('readConfig', () => {
  it('keeps the issuer exactly as it is, because tokens must contain the same', () => {
    const oauth = { API_AUTH: 'oauth', OAUTH_AUDIENCE: 'pay, https://pay.example/mcp' };
    for (const issuer of ['https://id.example', 'https://id.example/', 'http://127.0.0.1:9000/realms/a']) {
      const config = readConfig({ ...oauth, OAUTH_ISSUER: issuer });
      expect(config).toMatchObject({ apiAuth: 'oauth', oauthIssuer: issuer });
      expect(config.oauthAudience).toEqual(['pay', 'https://pay.example/mcp']);
    }
    expect(readConfig({})).toMatchObject({ apiAuth: 'off', oauthIssuer: null, serviceToken: null });
  });

  it('has a default for every setting', () => {
    const config = readConfig({});
    for (const key of RPC_URL_KEYS) expect(config[key].reveal(), key).toEqual([]);
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8787,
      ledgerRpcPort: 8899,
      dataDir: './ledger-data',
      cluster: 'localnet',
      allowedHosts: [],
      allowedOrigins: [],
      publicUrl: null,
      ledgerRequestBytesMax: 51_200,
      faucetSol: 500_000_000,
      faucetCallMax: null,
      faucetSliceMax: null,
      faucetSliceSeconds: 60,
      ledgerHistoryMax: 1_000_000,
      ledgerAccountsBytesMax: 536_870_912,
      ledgerSlotMs: 400,
      ledgerCheats: true,
      ledgerUpstreamMethods: [],
      metrics: true,
      logLevel: 'info',
      baseLayout: 'b',
      localnetLookupTable: null,
      mainnetLookupTable: '54M1BrqVSg1UGTmhH44gQPsPVyuMpmcVBkaY2wYNSVZB',
      ephemeralPublicUrl: null,
      ephemeralValidator: null,
      clusterAllowedHosts: [],
      gaslessSponsorSecretKey: null,
      exposure: 'machine',
      rateLimitPerSecond: 0,
      rateLimitBurst: 100,
      connectionsPerAddress: 768,
      trustedProxies: [],
    });
  });

  it('reads SOL to the lamport', () => {
    const config = readConfig({
      FAUCET_SOL_PER_CALL_MAX: '0.000000001',
      FAUCET_SOL_PER_TIME_MAX: '10000000000',
    });
    expect([config.faucetCallMax, config.faucetSliceMax]).toEqual([1n, 10_000_000_000_000_000_000n]);
    for (const text of ['-1', '1.0000000001', '.5', '1e3', 'all']) {
      expect(faultsOf({ FAUCET_SOL_PER_CALL_MAX: text })).toContain(
        'FAUCET_SOL_PER_CALL_MAX must be an amount in SOL',
      );
    }
  });

  it('reads the proxies to trust as addresses and networks', () => {
    expect(readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1, 2001:db8::/32' }).trustedProxies).toEqual([
      { address: '10.0.0.0', prefix: 8 },
      { address: '192.0.2.1', prefix: 32 },
      { address: '2001:db8::', prefix: 32 },
    ]);
    for (const network of ['proxy.example', '10.0.0.0/33', '10.0.0.0/', '0.0.0.0/0', '10.0.0.0/8/8']) {
      expect(faultsOf({ TRUSTED_PROXIES: network })).toContain(
        'TRUSTED_PROXIES must be IP addresses or networks',
      );
    }
  });

  it('treats blank variables as unset and trims the others', () => {
    expect(readConfig({ PORT: '  ', HOST: ' 0.0.0.0 ', LOG_LEVEL: 'DEBUG' })).toMatchObject({
      port: 8787,
      host: '0.0.0.0',
      logLevel: 'debug',
    });
  });

  it('reads lists', () => {
    expect(
      readConfig({ ALLOWED_HOSTS: 'a.example, b', ALLOWED_ORIGINS: 'https://a.example,' }),
    ).toMatchObject({
      allowedHosts: ['a.example', 'b'],
      allowedOrigins: ['https://a.example'],
    });
  });

  it.each([
    [{}, 'localnet'],
    [{ CLUSTER: ' Devnet-Private ' }, 'devnet-private'],
    [{ BASE_RPC_URL: 'https://a.example' }, 'mainnet'],
    [{ BASE_RPC_URL: 'https://a.example', BASE_DEVNET_RPC_URL: 'https://b.example' }, 'mainnet'],
    [{ BASE_DEVNET_RPC_URL: 'https://b.example', CLUSTER: 'localnet' }, 'localnet'],
  ] as [Record<string, string>, string][])('has the default cluster of %j: %s', (env, cluster) => {
    expect(readConfig(env).cluster).toBe(cluster);
  });

  it('reads several URLs of one upstream, in their order', () => {
    const { baseRpcUrl } = readConfig({ BASE_RPC_URL: 'https://a.example/key, http://b.example?k=1' });
    expect(baseRpcUrl.reveal().map(({ href }) => href)).toEqual([
      'https://a.example/key',
      'http://b.example/?k=1',
    ]);
  });

  it.each([
    [{}, 'machine'],
    [{ HOST: '::1' }, 'machine'],
    [{ ALLOWED_ORIGINS: 'https://app.example' }, 'machine'],
    [{ PUBLIC_URL: 'https://pay.example.com' }, 'proxy'],
    [{ TRUSTED_PROXIES: '127.0.0.1' }, 'proxy'],
    [{ ALLOWED_HOSTS: 'pay.example.com' }, 'proxy'],
    [{ ALLOWED_HOSTS: 'host.docker.internal', EXPOSURE: 'machine' }, 'machine'],
    [{ EXPOSURE: 'proxy' }, 'proxy'],
    [{ HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.0/8' }, 'network'],
  ] as [Record<string, string>, string][])(
    'derives from %j the exposure %s, and every default from it (bug: strangers behind a proxy had cheats, metrics and no limits)',
    (env, exposure) => {
      const isOwn = exposure === 'machine';
      expect(readConfig(env)).toMatchObject({
        exposure,
        ledgerCheats: isOwn,
        metrics: isOwn,
        console: isOwn,
        rateLimitPerSecond: isOwn ? 0 : 50,
        connectionsPerAddress: exposure === 'proxy' ? 1_024 : 768,
        faucetCallMax: isOwn ? null : 10_000_000_000n,
        faucetSliceMax: isOwn ? null : 10_000_000_000n,
      });
    },
  );

  it('prefers explicit settings to the defaults of the exposure', () => {
    const env = { PUBLIC_URL: 'https://pay.example.com', METRICS: 'on', CONSOLE: 'on' };
    const limits = { RATE_LIMIT_PER_SECOND: '0', CONNECTIONS_PER_ADDRESS: '5', FAUCET_SOL_PER_CALL_MAX: '2' };
    expect(readConfig({ ...env, ...limits })).toMatchObject({
      metrics: true,
      console: true,
      rateLimitPerSecond: 0,
      connectionsPerAddress: 5,
      faucetCallMax: 2_000_000_000n,
    });
  });

  it.each([
    [
      { HOST: '0.0.0.0', EXPOSURE: 'machine' },
      'EXPOSURE is machine while HOST 0.0.0.0 is open to the network',
    ],
    [{ HOST: '0.0.0.0', EXPOSURE: 'proxy' }, 'EXPOSURE is proxy while HOST 0.0.0.0 is open to the network'],
    [
      { TRUSTED_PROXIES: '::1', EXPOSURE: 'machine' },
      'EXPOSURE is machine, but TRUSTED_PROXIES admits clients',
    ],
    [{ EXPOSURE: 'network' }, 'EXPOSURE must be one of: machine, proxy'],
    ...['LEDGER_CHEATS', 'LOCALNET_WALLETS', 'CONSOLE_LOG_ARGUMENTS'].flatMap((name) => [
      [{ [name]: 'on', EXPOSURE: 'proxy' }, `${name} is on while EXPOSURE admits clients from other`],
      [{ [name]: 'on', ALLOWED_HOSTS: 'a.example' }, `${name} is on while ALLOWED_HOSTS admits clients`],
      [{ [name]: 'on', HOST: '0.0.0.0' }, `${name} is on while HOST 0.0.0.0 is open to the network`],
    ]),
  ] as [Record<string, string>, string][])('rejects %j, which is contradictory', (env, words) => {
    expect(faultsOf(env)).toContain(words);
  });

  it.each([
    [{}, true, true],
    [{ HOST: '::1' }, true, true],
    [{ HOST: '0.0.0.0' }, false, false],
    [{ HOST: '0.0.0.0', METRICS: 'on' }, false, true],
    [{ LEDGER_CHEATS: 'OFF', METRICS: 'off' }, false, false],
    [{ LEDGER_UPSTREAM_URL: 'https://a.example', CLUSTER: 'devnet' }, false, true],
  ] as [Record<string, string>, boolean, boolean][])(
    'derives cheats and metrics of %j: %s, %s',
    (env, ledgerCheats, metrics) => {
      expect(readConfig(env)).toMatchObject({ ledgerCheats, metrics });
    },
  );

  it.each([
    [{}, true],
    [{ HOST: '::1' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '0.0.0.0', CONSOLE: 'on' }, true],
    [{ CONSOLE: 'off' }, false],
    [{ PUBLIC_URL: 'https://pay.example.com' }, false],
    [{ TRUSTED_PROXIES: '127.0.0.1' }, false],
    [{ ALLOWED_HOSTS: 'pay.example.com' }, false],
    [{ ALLOWED_HOSTS: 'pay.example.com', CONSOLE: 'on' }, true],
  ] as [Record<string, string>, boolean][])('reads for the console of %j: %s', (env, console) => {
    expect(readConfig(env)).toMatchObject({ console, consoleLogArguments: false });
  });

  it('allows arguments in the request list only on loopback', () => {
    expect(readConfig({ CONSOLE_LOG_ARGUMENTS: 'on' }).consoleLogArguments).toBe(true);
    expect(() => readConfig({ CONSOLE_LOG_ARGUMENTS: 'on', HOST: '0.0.0.0', CONSOLE: 'on' })).toThrow(
      'CONSOLE_LOG_ARGUMENTS is on while HOST 0.0.0.0 is open to the network',
    );
    expect(() => readConfig({ CONSOLE_LOG_ARGUMENTS: 'on', CONSOLE: 'off' })).toThrow('turn the console on');
  });

  it.each([
    ['PUBLIC_URL', 'https://pay.example.com'],
    ['TRUSTED_PROXIES', '127.0.0.1'],
    ['ALLOWED_HOSTS', 'pay.example.com'],
  ])('lists no arguments if %s admits other machines', (name, value) => {
    expect(faultsOf({ CONSOLE_LOG_ARGUMENTS: 'on', CONSOLE: 'on', [name]: value })).toBe(
      `CONSOLE_LOG_ARGUMENTS is on while ${name} admits clients from other machines: unset ${name} or turn it off`,
    );
  });

  it('reads the settings of a gateway', () => {
    const config = readConfig({
      LEDGER_UPSTREAM_URL: 'https://a.example/key, http://127.0.0.1:8999',
      LEDGER_UPSTREAM_METHODS: 'getBlock, getVoteAccounts',
      BASE_RPC_URL: 'https://a.example/key',
    });
    expect(config.ledgerUpstreamUrl.reveal().map(({ href }) => href)).toEqual([
      'https://a.example/key',
      'http://127.0.0.1:8999/',
    ]);
    expect(config).toMatchObject({
      ledgerUpstreamMethods: ['getBlock', 'getVoteAccounts'],
      cluster: 'mainnet',
    });
    expect([isGateway(config), isGateway(readConfig({}))]).toEqual([true, false]);
  });

  it('accepts none as the lookup table', () => {
    const variable = 'PRIVATE_BASE_TO_BASE_TRANSFER_MAINNET_LOOKUP_TABLE';
    expect(readConfig({ [variable]: 'None' }).mainnetLookupTable).toBeNull();
  });

  it.each([
    [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535 (it is "http")'],
    [{ PORT: '65536' }, 'PORT must be a whole number'],
    [{ PORT: '80.5' }, 'PORT must be a whole number'],
    [{ PORT: '-1' }, 'PORT must be a whole number'],
    [{ WORKERS: '0' }, 'WORKERS must be a whole number from 1 to 64'],
    [{ WORKERS: '65' }, 'WORKERS must be a whole number from 1 to 64'],
    [{ WORKERS: '2' }, 'WORKERS is 2 with an embedded ledger, which is always one process: set WORKERS to 1'],
    [{ LEDGER_RPC_PORT: '65535' }, 'LEDGER_RPC_PORT must be a whole number from 0 to 65534'],
    [{ HOST: 'http://x' }, 'HOST must be a host name'],
    [{ CLUSTER: 'mainet' }, 'CLUSTER must be one of: localnet'],
    [{ BASE_DEVNET_RPC_URL: 'https://b.example' }, 'CLUSTER must be set'],
    [{ EPHEMERAL_RPC_URL: 'https://b.example' }, 'CLUSTER must be set'],
    [{ EPHEMERAL_PUBLIC_URL: 'rollup.example' }, 'EPHEMERAL_PUBLIC_URL must be an http(s) URL'],
    [{ EPHEMERAL_PUBLIC_URL: 'https://u:p@rollup.example' }, 'EPHEMERAL_PUBLIC_URL must not have a user'],
    [
      { CLUSTER: 'devnet', BASE_DEVNET_RPC_URL: 'https://u:%zz@b.example' },
      'BASE_DEVNET_RPC_URL must encode each % in its user and password as %25',
    ],
    [{ EPHEMERAL_VALIDATOR: 'MAS1' }, 'EPHEMERAL_VALIDATOR must be a base58 Solana address'],
    [{ BASE_LAYOUT: 'c' }, 'BASE_LAYOUT must be one of: a, b'],
    [{ CLUSTER_ALLOWED_HOSTS: 'https://rpc.example' }, 'CLUSTER_ALLOWED_HOSTS must be a host'],
    [{ RATE_LIMIT_PER_SECOND: '-1' }, 'RATE_LIMIT_PER_SECOND must be a whole number from 0'],
    [{ RATE_LIMIT_BURST: '0' }, 'RATE_LIMIT_BURST must be a whole number from 1'],
    [
      { GASLESS_SPONSOR_SECRET_KEY: '[1]', GASLESS_SPONSOR_SECRET_KEY_FILE: '/dev/null' },
      'GASLESS_SPONSOR_SECRET_KEY_FILE names a file that other users',
    ],
    [{ LEDGER_SLOT_MS: '9' }, 'LEDGER_SLOT_MS must be a whole number from 10 to 60000'],
    [{ LEDGER_HISTORY_MAX: '0' }, 'LEDGER_HISTORY_MAX must be a whole number from 1'],
    [{ LEDGER_CHEATS: 'yes' }, 'LEDGER_CHEATS must be one of: on, off'],
    [{ LEDGER_CHEATS: 'on', HOST: '0.0.0.0' }, 'LEDGER_CHEATS is on while HOST 0.0.0.0 is open'],
    [
      { PUBLIC_URL: 'https://pay.example.com', LEDGER_CHEATS: 'on' },
      'LEDGER_CHEATS is on while PUBLIC_URL admits clients from other machines: unset PUBLIC_URL or turn it off',
    ],
    [{ LEDGER_UPSTREAM_METHODS: 'getBlock' }, 'LEDGER_UPSTREAM_METHODS is set without LEDGER_UPSTREAM_URL'],
    [{ LIMITS_URL: 'redis://127.0.0.1' }, 'LIMITS_URL is set without a rate limit'],
    [{ SPENDING_POLICY: 'policy.json' }, 'SPENDING_POLICY is set without LOCALNET_WALLETS'],
    [
      {
        SPENDING_POLICY: 'policy.json',
        FACILITATOR_SECRET_KEY: '[1]',
        STATE_URL: 'postgres://127.0.0.1/state',
      },
      'SPENDING_POLICY cannot limit a facilitator with STATE_URL',
    ],
    [{ LIMITS_URL: 'http://127.0.0.1' }, 'LIMITS_URL must be a URL that starts with redis://'],
    [{ STATE_URL: 'mysql://me:hidden@127.0.0.1' }, 'STATE_URL must be a URL that starts with postgres://'],
    [
      { LEDGER_UPSTREAM_WS_URL: 'wss://a.example' },
      'LEDGER_UPSTREAM_WS_URL is set without LEDGER_UPSTREAM_URL',
    ],
    [
      { ...GATEWAY, LEDGER_UPSTREAM_WS_URL: 'https://a.example' },
      'LEDGER_UPSTREAM_WS_URL must be a ws(s) URL',
    ],
    [
      { LEDGER_UPSTREAM_URL: 'http://localhost:8898/' },
      'The WebSocket of LEDGER_UPSTREAM_URL is a port of this program',
    ],
    [
      { ...GATEWAY, LEDGER_UPSTREAM_WS_URL: 'ws://localhost:8900/' },
      'The WebSocket of LEDGER_UPSTREAM_URL is a port of this program',
    ],
    [{ LEDGER_UPSTREAM_METHODS: 'get-block' }, 'LEDGER_UPSTREAM_METHODS must be names of methods'],
    [GATEWAY, 'CLUSTER must be set: without BASE_RPC_URL the choice between mainnet'],
    [GATEWAY, 'because LEDGER_UPSTREAM_URL replaces the embedded ledger'],
    [
      { ...GATEWAY, CLUSTER: 'localnet' },
      'CLUSTER localnet is the embedded ledger, which LEDGER_UPSTREAM_URL',
    ],
    [{ ...GATEWAY, LOCALNET_PROGRAMS: '/x' }, 'LOCALNET_PROGRAMS is set while LEDGER_UPSTREAM_URL replaces'],
    [{ ...GATEWAY, LEDGER_CHEATS: 'on' }, 'LEDGER_CHEATS is on while LEDGER_UPSTREAM_URL replaces'],
    [{ LEDGER_UPSTREAM_URL: 'http://localhost:8899/' }, 'LEDGER_UPSTREAM_URL points to a port of this'],
    [{ LEDGER_UPSTREAM_URL: 'http://[::1]', PORT: '80' }, 'LEDGER_UPSTREAM_URL points to a port of this'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of: trace'],
    [{ ALLOWED_ORIGINS: 'app.example' }, 'ALLOWED_ORIGINS must be an origin'],
    [{ ALLOWED_ORIGINS: 'https://app.example/path' }, 'ALLOWED_ORIGINS must be an origin'],
    [{ ALLOWED_HOSTS: 'a b' }, 'ALLOWED_HOSTS must be a host name'],
    [{ PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL must be an origin'],
    [{ API_AUTH: 'oauth' }, 'API_AUTH is oauth: set OAUTH_ISSUER to the issuer of the tokens'],
    [
      { API_AUTH: 'both', OAUTH_ISSUER: 'https://id.example' },
      'API_AUTH is both: set PUBLIC_URL or OAUTH_AUDIENCE',
    ],
    [
      { OAUTH_ISSUER: 'https://id.example' },
      'OAUTH_ISSUER is set while API_AUTH is off: set API_AUTH to oauth',
    ],
    [{ API_AUTH: 'keys', OAUTH_AUDIENCE: 'pay' }, 'OAUTH_AUDIENCE is set while API_AUTH is keys'],
    // Bug: another site could make the wallets of its visitors sign a challenge of this service.
    [
      { HOST: '0.0.0.0', CHECKOUT_SECRET: 's'.repeat(32) },
      'CHECKOUT_SECRET is set while HOST 0.0.0.0 is open to the network: set PUBLIC_URL or ALLOWED_HOSTS',
    ],
    [{ OAUTH_ISSUER: 'http://id.example' }, 'OAUTH_ISSUER must be an https URL'],
    [{ OAUTH_ISSUER: 'https://id.example?tenant=1' }, 'OAUTH_ISSUER must be an https URL'],
    [{ OAUTH_ISSUER: 'https://a:b@id.example' }, 'OAUTH_ISSUER must not have a user'],
    [{ PORT: '8899' }, 'PORT 8899 collides with LEDGER_RPC_PORT 8899'],
    [{ PORT: '8900' }, 'PORT 8900 collides with LEDGER_RPC_PORT 8899'],
  ] as [Record<string, string>, string][])('rejects %j with the variable and the fix', (env, message) => {
    expect(faultsOf(env)).toContain(message);
  });

  it.each([
    ['LOG_LEVL', 'LOG_LEVEL'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['log_level', 'LOG_LEVEL'],
    ['BASE_RPC_URLS', 'BASE_RPC_URL'],
    ['EPHEMERAL_DEVNET_TEE_RPC_ULR', 'EPHEMERAL_DEVNET_TEE_RPC_URL'],
    ['WORKER', 'WORKERS'],
  ])(
    'rejects %s and suggests the nearest name, without showing the value (bug: it was ignored)',
    (name, meant) => {
      const faults = faultsOf({ [name]: 'c4n4ry' });
      expect(faults).toContain(`${name} is not a setting: did you mean ${meant}?`);
      expect(faults).not.toContain('c4n4ry');
    },
  );

  it('ignores blank variables and dissimilar names', () => {
    const others = [
      'HOSTS',
      'POST',
      'REDIS_PORT',
      'LEDGER_PORT',
      'NODE_ENV',
      'BASE_URL',
      'FUZZ_SEED',
      'PATH',
    ];
    const env = Object.fromEntries(others.map((name) => [name, 'x']));
    expect(() => readConfig({ ...env, LOG_LEVL: ' ' })).not.toThrow();
  });

  it('reports all faults at once, one per line', () => {
    expect(faultsOf({ PORT: 'x', LOG_LEVEL: 'y' }).split('\n')).toHaveLength(2);
  });
});

describe('a secret setting', () => {
  const canary = 'c4n4ryKey';

  it.each([
    { BASE_RPC_URL: `ftp://${canary}.example/` },
    { EPHEMERAL_TEE_RPC_URL: `https://a.example, ${canary}` },
    { LEDGER_UPSTREAM_URL: `https://a.example, ${canary}` },
    { ...GATEWAY, LEDGER_UPSTREAM_WS_URL: `wss://a.example, ${canary}` },
    { LEDGER_UPSTREAM_URL: `http://localhost:8899/${canary}`, CLUSTER: 'localnet' },
    { GASLESS_SPONSOR_SECRET_KEY: `[${canary}`, LOG_LEVEL: 'loud' },
  ])('is not repeated in the fault for %o', (env) => {
    expect(faultsOf(env)).not.toContain(canary);
  });

  it('is not shown when the settings are printed', () => {
    const config = readConfig({
      BASE_RPC_URL: `https://user:${canary}@a.example/${canary}?k=${canary}`,
      GASLESS_SPONSOR_SECRET_KEY: canary,
    });
    expect(config.gaslessSponsorSecretKey?.reveal()).toBe(canary);
    const { baseRpcUrl } = config;
    const printed = [
      JSON.stringify(config, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      inspect(config, { depth: 9 }),
      String(baseRpcUrl),
      `${baseRpcUrl}`,
    ];
    expect(printed.join()).not.toContain(canary);
  });

  it('is marked as one wherever an upstream URL is read', () => {
    for (const key of [...RPC_URL_KEYS, 'ledgerUpstreamUrl'] as const) {
      expect(VARIABLES[key].isSecret, key).toBe(true);
    }
    expect(() => parseHttpUrl(`nonsense ${canary}`)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(canary) }),
    );
  });
});

describe('.env.example', () => {
  it('documents every variable with its default, in order, and no other', () => {
    const lines = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8').split('\n');
    const documented = lines.filter((line) => /^#?[A-Z_]+=/.test(line));
    expect(documented).toEqual(
      Object.values(VARIABLES).map((variable) => `#${variable.name}=${variable.default}`),
    );
    for (const { name, description } of Object.values(VARIABLES)) {
      const at = lines.findIndex((line) => line.startsWith(`#${name}=`));
      expect(lines[at - 1], name).toBe(`# ${description}`);
    }
  });

  it.each([
    [{}, 'embedded'],
    [{ ROLLUP: 'off' }, 'off'],
    [{ LEDGER_UPSTREAM_URL: 'http://127.0.0.1:1', CLUSTER: 'devnet' }, 'off'],
    [{ ROLLUP: 'external', EPHEMERAL_RPC_URL: 'http://127.0.0.1:1' }, 'external'],
  ])('with %j puts the rollup at %s', (env, place) => {
    expect(readConfig(env).rollup).toBe(place);
  });

  it('allows localnet with an external rollup', () => {
    expect(readConfig({ ROLLUP: 'external', EPHEMERAL_RPC_URL: 'http://127.0.0.1:1' }).cluster).toBe(
      'localnet',
    );
  });

  it.each([
    [{ ROLLUP: 'external' }, 'ROLLUP is external: set EPHEMERAL_RPC_URL'],
    [
      { ROLLUP: 'external', EPHEMERAL_RPC_URL: 'http://127.0.0.1:1', BASE_RPC_URL: 'http://127.0.0.1:2' },
      'ROLLUP external uses EPHEMERAL_RPC_URL for localnet',
    ],
    [
      { ROLLUP: 'embedded', LEDGER_UPSTREAM_URL: 'http://127.0.0.1:1', CLUSTER: 'devnet' },
      'ROLLUP embedded needs the embedded ledger',
    ],
    [{ ROLLUP_RPC_PORT: '8900' }, 'LEDGER_RPC_PORT 8899 collides with ROLLUP_RPC_PORT 8900'],
    [{ PORT: '7800' }, 'PORT 7800 collides with ROLLUP_RPC_PORT 7799'],
  ])('rejects %j', (env, words) => {
    expect(() => readConfig(env)).toThrow(words);
  });

  it.each([
    ['1', true],
    ['on', true],
    ['0', false],
    ['off', false],
    ['', false],
  ])('READ_ONLY=%s is %s', (text, readOnly) => {
    expect(readConfig({ READ_ONLY: text, TOOLS: 'spl.deposit, login' })).toMatchObject({
      readOnly,
      tools: ['spl.deposit', 'login'],
    });
  });
});
