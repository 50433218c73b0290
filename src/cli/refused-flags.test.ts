import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.ts';
import { FLAGS } from './flags.ts';

describe('flags of solana-test-validator that cannot be had', () => {
  it.each([
    ['--faucet-port 9900', 'requestAirdrop'],
    ['--inflation-fixed 0.1', 'never paid'],
    ['--rpc-pubsub-enable-block-subscription', 'in any case'],
  ])('are refused with what to do instead: %s', (line, advice) => {
    const [flag] = line.split(/[ =]/) as [string];
    expect(() => readArguments(line.split(' '))).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(new RegExp(`^${flag} cannot be had: .*${advice}`)) as string,
      }),
    );
    expect(Object.keys(FLAGS)).not.toContain(flag.slice(2));
  });

  it('does not take --port for a slip of --rpc-port, which would move the wrong port', () => {
    const read = () => readArguments(['start', '--port', '18787']);
    expect(read).toThrow('--port cannot be had');
    expect(read).toThrow(
      'Set PORT for that of the tool service, LEDGER_RPC_PORT or --rpc-port for the ledger node',
    );
    expect(read).not.toThrow('Did you mean');
    expect(Object.keys(FLAGS)).not.toContain('port');
  });

  it('says that ticks of a slot must be whole milliseconds, and not at odds with its time', () => {
    const read = (line: string) => () => readArguments(line.split(' '));
    expect(read('--ticks-per-slot 3')).toThrow("--ticks-per-slot needs a multiple of 4, where it has '3'.");
    expect(read('--ticks-per-slot 0')).toThrow('needs a multiple of 4');
    expect(read('--ticks-per-slot 8 --slot-time 50')).toThrow('both say how long a slot is');
  });
});
