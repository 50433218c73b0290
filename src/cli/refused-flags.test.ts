import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.ts';
import { FLAG_ENTRIES } from './flags.ts';

describe('unsupported flags of solana-test-validator', () => {
  it.each([
    ['--faucet-port 9900', 'requestAirdrop'],
    ['--inflation-fixed 0.1', 'always zero'],
    ['--rpc-pubsub-enable-block-subscription', 'always enabled'],
  ])('are rejected with an alternative: %s', (line, advice) => {
    const [flag] = line.split(/[ =]/) as [string];
    expect(() => readArguments(line.split(' '))).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(new RegExp(`^${flag} is not supported: .*${advice}`)) as string,
      }),
    );
    expect(FLAG_ENTRIES.map(([name]) => name)).not.toContain(flag.slice(2));
  });

  it('rejects --port, which is ambiguous', () => {
    const read = () => readArguments(['start', '--port', '18787']);
    expect(read).toThrow('--port is not supported');
    expect(read).toThrow('Set PORT for the tool service, LEDGER_RPC_PORT or --rpc-port for the ledger node');
    expect(read).not.toThrow('Did you mean');
    expect(FLAG_ENTRIES.map(([name]) => name)).not.toContain('port');
  });

  it('requires ticks that are whole milliseconds and do not contradict --slot-time', () => {
    const read = (line: string) => () => readArguments(line.split(' '));
    expect(read('--ticks-per-slot 3')).toThrow("--ticks-per-slot needs a multiple of 4, not '3'.");
    expect(read('--ticks-per-slot 0')).toThrow('needs a multiple of 4');
    expect(read('--ticks-per-slot 8 --slot-time 50')).toThrow('both set the length of a slot');
  });
});
