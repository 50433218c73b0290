import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.ts';
import { chooseMcpMode, type McpMode } from './mcp-mode.ts';
import { applyFlags, type Environment, readSettings } from './settings.ts';

const DEVNET = {
  CLUSTER: 'devnet',
  BASE_DEVNET_RPC_URL: 'https://base.example',
  EPHEMERAL_DEVNET_RPC_URL: 'https://rollup.example',
};

async function choose(line: string, env: Environment = {}, running?: string): Promise<McpMode> {
  const args = readArguments(['mcp', ...line.split(' ').filter((word) => word !== '')]);
  const config = readSettings(env, args, null);
  const isService = async (url: URL): Promise<boolean> => url.origin === running;
  return chooseMcpMode(applyFlags(env, args, null), args, config, isService);
}

const DEFAULT = 'http://127.0.0.1:8787';
const THROWN_AWAY = { kind: 'ledger', isKept: false, isListening: false };

describe('chooseMcpMode', () => {
  it('uses a temporary ledger without ports by default', async () => {
    expect(await choose('')).toEqual(THROWN_AWAY);
    expect(await choose('', { CLUSTER: 'localnet', LOG_LEVEL: 'warn' }, DEFAULT)).toEqual(THROWN_AWAY);
  });

  it('forwards everything to the service that is named or that answers at the default address', async () => {
    expect(await choose('--url http://127.0.0.1:9000')).toMatchObject({
      kind: 'bridge',
      serviceUrl: { origin: 'http://127.0.0.1:9000' },
    });
    expect(await choose('', {}, DEFAULT)).toMatchObject({ kind: 'bridge', serviceUrl: { origin: DEFAULT } });
    expect(await choose('', { PORT: '9000' }, 'http://127.0.0.1:9000')).toMatchObject({ kind: 'bridge' });
  });

  it('opens no ledger if other clusters are configured and localnet is not requested', async () => {
    expect(await choose('', DEVNET, DEFAULT)).toEqual({ kind: 'clusters' });
    expect(await choose('', { ...DEVNET, CLUSTER: 'localnet' })).toEqual(THROWN_AWAY);
    expect(await choose('--data-dir /x', DEVNET)).toEqual({ ...THROWN_AWAY, isKept: true });
    expect(await choose('--slot-time 100', DEVNET)).toEqual(THROWN_AWAY);
    expect(await choose('', { ...DEVNET, LOCALNET_PROGRAMS: '/x' })).toEqual(THROWN_AWAY);
  });

  it('stores the ledger in the named folder and opens the named ports', async () => {
    expect(await choose('--data-dir /x', {}, DEFAULT)).toEqual({ ...THROWN_AWAY, isKept: true });
    expect(await choose('', { DATA_DIR: '/x' }, DEFAULT)).toEqual({ ...THROWN_AWAY, isKept: true });
    expect(await choose('--rpc-port 0', {}, DEFAULT)).toEqual({ ...THROWN_AWAY, isListening: true });
    expect(await choose('', { ROLLUP_RPC_PORT: '0' })).toEqual({ ...THROWN_AWAY, isListening: true });
  });

  it('does not send the bearer token to a service that was not named', async () => {
    expect(await choose('', { AUTH_TOKEN: 'canary' }, DEFAULT)).toEqual(THROWN_AWAY);
  });

  it.each([{ LEDGER_SLOT_MS: '50' }, { ROLLUP: 'off' }, { READ_ONLY: '1' }, { TOOLS: 'deposit' }])(
    'forwards nothing to a service that may have other settings than %o',
    async (env) => {
      expect(await choose('', env, DEFAULT)).toEqual(THROWN_AWAY);
      expect(await choose('', { LOG_LEVEL: 'warn' }, DEFAULT)).toMatchObject({ kind: 'bridge' });
    },
  );

  it('rejects settings that only the service can have', async () => {
    await expect(choose('--url http://127.0.0.1:1', { READ_ONLY: '1' })).rejects.toThrow(
      'READ_ONLY cannot be used',
    );
  });

  it.each([
    ['--url http://127.0.0.1:1 --reset', 'cannot change its settings: remove --reset'],
    ['--url http://127.0.0.1:1 --data-dir /x', 'cannot change its settings: remove --ledger'],
    ['--url devnet', 'mcp --url needs the http(s) URL of a running service'],
    ['--url http://user:canary@127.0.0.1', 'mcp --url needs the http(s) URL of a running service'],
  ])('rejects "%s"', (line, words) => {
    expect(() => readArguments(['mcp', ...line.split(' ')])).toThrow(words);
    expect(() => readArguments(['mcp', ...line.split(' ')])).not.toThrow('canary');
  });

  it('copies from the cluster at --url if requested', () => {
    expect(readArguments(['mcp', '--fork', '--url', 'http://127.0.0.1:1'])).toMatchObject({
      serviceUrl: null,
      provision: { fork: true, url: 'http://127.0.0.1:1' },
    });
  });
});
