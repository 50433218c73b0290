import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.ts';
import { formatConfig } from './print-config.ts';
import { readSettings } from './settings.ts';

const FORK = ['--fork', '--url', 'http://127.0.0.1:1/canary'];

describe('readSettings', () => {
  it('prefers the flag to the variable, and the variable to the default', () => {
    const env = { LEDGER_RPC_PORT: '1000', PORT: '2000' };
    const config = readSettings(env, readArguments(['--rpc-port', '3000']), null);
    expect([config.ledgerRpcPort, config.port, config.host]).toEqual([3000, 2000, '127.0.0.1']);
  });

  it('uses free ports with --temp, except those that are set (bug: it used the default ports)', () => {
    const args = readArguments(['--temp', '--rpc-port', '3000']);
    const { port, ledgerRpcPort, rollupRpcPort } = readSettings({ PORT: '2000' }, args, null);
    expect([port, ledgerRpcPort, rollupRpcPort]).toEqual([2000, 3000, 0]);
    expect(readSettings({ PORT: ' ' }, readArguments(['--temp']), null).port).toBe(0);
  });

  it('uses the ports of the previous process first', () => {
    const args = readArguments(['--rpc-port', '0']);
    const config = readSettings({ PORT: '0' }, args, { PORT: 4000, LEDGER_RPC_PORT: 5000 });
    expect([config.ledgerRpcPort, config.port]).toEqual([5000, 4000]);
  });

  it('names the flag in its errors', () => {
    const args = readArguments(['--rpc-port', '70000', '--faucet-sol', 'much']);
    expect(() => readSettings({}, args, null)).toThrow(
      '--rpc-port must be a whole number from 0 to 65534 (it is "70000")\n--faucet-sol must be',
    );
  });

  it('does not quote a flag that may contain a key', () => {
    const args = readArguments(['--programs', 'ftp://rpc.example/canary']);
    expect(() => readSettings({}, args, null)).toThrow('--programs must be a folder, the name of a cluster');
    expect(() => readSettings({}, args, null)).not.toThrow('canary');
  });

  it('rejects flags that contradict --programs', () => {
    const read = (line: string, env: Record<string, string> = {}) =>
      readSettings(env, readArguments(line.split(' ')), null);
    expect(() => read('--upgrade-programs')).toThrow('--upgrade-programs needs --programs');
    expect(() => read('--programs /x --no-genesis-programs')).toThrow('--no-genesis-programs cannot be used');
    expect(read('--upgrade-programs', { LOCALNET_PROGRAMS: '/x' }).localnetPrograms).toEqual({
      kind: 'folder',
      folder: '/x',
    });
  });

  it('rejects ledger flags without a ledger', () => {
    const env = { LEDGER_UPSTREAM_URL: 'http://127.0.0.1:1', CLUSTER: 'devnet' };
    expect(() => readSettings(env, readArguments(FORK), null)).toThrow(
      '--url, --fork cannot be used with LEDGER_UPSTREAM_URL',
    );
    expect(() => readSettings(env, readArguments(['--reset']), null)).toThrow('--reset cannot be used');
    expect(() => readSettings(env, readArguments(['-q', '--rpc-port', '5']), null)).not.toThrow();
  });
});

describe('formatConfig', () => {
  it('prints the effective value of every setting', () => {
    const lines = formatConfig({ PORT: '2000' }, readArguments(['--ledger', '/x'])).split('\n');
    for (const line of ['PORT=2000', 'DATA_DIR=/x', 'LEDGER_RPC_PORT=8899']) expect(lines).toContain(line);
    expect(lines.at(-2)).toBe(
      '# Exposure: this machine: cheats on, metrics on, console on, no rate limit, no faucet limit',
    );
  });

  it('shows no secret', () => {
    const env = {
      BASE_RPC_URL: 'http://127.0.0.1/canary',
      GASLESS_SPONSOR_SECRET_KEY: '[1, 2, "canary"]',
      LOCALNET_PROGRAMS: 'http://127.0.0.1/canary',
    };
    const text = formatConfig(env, readArguments(FORK));
    expect(text).not.toContain('canary');
    expect(text).toContain('BASE_RPC_URL=********');
    expect(text).toContain('GASLESS_SPONSOR_SECRET_KEY=********');
    expect(text).toContain('# Initial content of the ledger: {"url":"********","fork":true}\n');
  });

  it('rejects settings with which the program would not start', () => {
    expect(() => formatConfig({ PORT: 'http' }, readArguments([]))).toThrow('PORT must be a whole number');
  });
});
