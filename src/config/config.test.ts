import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isServiceError } from '../errors/service-error.ts';
import { readConfig, VARIABLES } from './config.ts';

function faultsOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (isServiceError(error, 'CONFIG_INVALID')) return error.message;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({
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
      logLevel: 'info',
    });
  });

  it('takes blank variables for unset ones and trims the others', () => {
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
    [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535 (it is "http")'],
    [{ PORT: '65536' }, 'PORT must be a whole number'],
    [{ PORT: '80.5' }, 'PORT must be a whole number'],
    [{ PORT: '-1' }, 'PORT must be a whole number'],
    [{ LEDGER_RPC_PORT: '65535' }, 'LEDGER_RPC_PORT must be a whole number from 0 to 65534'],
    [{ HOST: 'http://x' }, 'HOST must be a host name'],
    [{ CLUSTER: 'mainet' }, 'CLUSTER must be one of: localnet'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of: trace'],
    [{ ALLOWED_ORIGINS: 'app.example' }, 'ALLOWED_ORIGINS must be an origin'],
    [{ ALLOWED_ORIGINS: 'https://app.example/path' }, 'ALLOWED_ORIGINS must be an origin'],
    [{ ALLOWED_HOSTS: 'a b' }, 'ALLOWED_HOSTS must be a host name'],
    [{ PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL must be an origin'],
    [{ PORT: '8899' }, 'PORT 8899 collides with LEDGER_RPC_PORT 8899'],
    [{ PORT: '8900' }, 'PORT 8900 collides with LEDGER_RPC_PORT 8899'],
  ] as [Record<string, string>, string][])('refuses %j naming variable and mend', (env, message) => {
    expect(faultsOf(env)).toContain(message);
  });

  it('tells all faults at once, a line each', () => {
    expect(faultsOf({ PORT: 'x', LOG_LEVEL: 'y' }).split('\n')).toHaveLength(2);
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
});
