import { describe, expect, it } from 'vitest';
import { VARIABLES } from '../config/config.ts';
import { readArguments, type Arguments } from './arguments.ts';
import { FLAG_ENTRIES } from './flags.ts';
import { provisionOfRestart } from './provision-flags.ts';

const A = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const B = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';
const NODE = 'http://127.0.0.1:1';

const NOTHING: Arguments = {
  command: 'serve',
  reset: false,
  quiet: false,
  log: false,
  temp: false,
  json: false,
  portFile: null,
  supervisor: true,
  printConfig: false,
  help: false,
  version: false,
  settings: [],
  provision: {
    accounts: [],
    accountDirs: [],
    programs: [],
    upgradeablePrograms: [],
    clone: [],
    maybeClone: [],
    cloneUpgradeablePrograms: [],
    deepCloneTables: [],
    snapshots: [],
    url: null,
    fork: false,
    mint: null,
    cliConfig: null,
    epochSlots: null,
    rentPerByte: null,
    deactivateFeatures: [],
    cloneFeatureSet: false,
    warpSlot: null,
    genesisPrograms: true,
    upgradePrograms: false,
  },
  serviceUrl: null,
  ledgerFlags: [],
};

describe('readArguments', () => {
  it.each<[string, Partial<Arguments>]>([
    ['', {}],
    ['--reset', { reset: true, ledgerFlags: ['--reset'] }],
    ['-r -q -h -v', { reset: true, quiet: true, help: true, version: true, ledgerFlags: ['--reset'] }],
    ['mcp', { command: 'mcp' }],
    ['start', {}],
    ['--reset mcp', { command: 'mcp', reset: true, ledgerFlags: ['--reset'] }],
    ['--log', { log: true }],
    ['start --json --port-file p', { json: true, portFile: 'p' }],
    ['--temp', { temp: true, ledgerFlags: ['--temp'] }],
    ['--no-supervisor --print-config', { supervisor: false, printConfig: true }],
  ])('reads "%s"', (line, expected) => {
    const { settings: _, ...read } = readArguments(line.split(' ').filter((word) => word !== ''));
    const { settings: __, ...nothing } = NOTHING;
    expect(read).toEqual({ ...nothing, ...expected });
  });

  it.each([
    ['--ledger d', 'DATA_DIR', 'd'],
    ['-l d', 'DATA_DIR', 'd'],
    ['--rpc-port=1', 'LEDGER_RPC_PORT', '1'],
    ['--bind-address ::1', 'HOST', '::1'],
    ['--slot-time 100', 'LEDGER_SLOT_MS', '100'],
    ['--compute-unit-limit 9', 'LEDGER_COMPUTE_UNIT_LIMIT', '9'],
    ['--log-messages-bytes-limit=0', 'LEDGER_LOG_BYTES_MAX', '0'],
    ['--transaction-account-lock-limit 128', 'LEDGER_ACCOUNT_LOCKS_MAX', '128'],
    ['--log-arguments', 'CONSOLE_LOG_ARGUMENTS', 'on'],
    ['--ticks-per-slot 64', 'LEDGER_SLOT_MS', '400'],
    ['--ticks-per-slot 8', 'LEDGER_SLOT_MS', '50'],
    // Refused as the variable is, which says what it must be.
    ['--slot-time -5', 'LEDGER_SLOT_MS', '-5'],
    ['--limit-ledger-size 9', 'LEDGER_HISTORY_MAX', '9'],
    ['--faucet-sol 5', 'FAUCET_SOL', '5'],
    ['--faucet-per-request-sol-cap 0.5', 'FAUCET_SOL_PER_CALL_MAX', '0.5'],
    ['--faucet-per-time-sol-cap 10', 'FAUCET_SOL_PER_TIME_MAX', '10'],
    ['--faucet-time-slice-secs 30', 'FAUCET_TIME_SECONDS', '30'],
    ['--quiet', 'LOG_LEVEL', 'warn'],
  ])('reads "%s" as a setting of %s', (line, variable, text) => {
    expect(readArguments(line.split(' ')).settings).toMatchObject([{ variable, text }]);
  });

  it.each<[string, Partial<Arguments['provision']>]>([
    [
      `--account ${A} a.json --account - b.json`,
      {
        accounts: [
          { address: A, file: 'a.json' },
          { address: null, file: 'b.json' },
        ],
      },
    ],
    ['--account-dir x --account-dir y', { accountDirs: ['x', 'y'] }],
    ['--snapshot x --snapshot y', { snapshots: ['x', 'y'] }],
    [`--bpf-program ${A} p.so`, { programs: [{ address: A, file: 'p.so' }] }],
    [
      `--upgradeable-program ${A} p.so ${B} --upgradeable-program ${B} q.so none`,
      {
        upgradeablePrograms: [
          { address: A, file: 'p.so', authority: B },
          { address: B, file: 'q.so', authority: null },
        ],
      },
    ],
    [
      `-u ${NODE} -c ${A} --clone ${B} --maybe-clone ${B} --clone-upgradeable-program ${A}`,
      { url: NODE, clone: [A, B], maybeClone: [B], cloneUpgradeablePrograms: [A] },
    ],
    ['--fork --url devnet', { fork: true, url: 'https://api.devnet.solana.com' }],
    ['--fork --url=http://h/?key=a=b', { fork: true, url: 'http://h/?key=a=b' }],
    [`--mint ${A} -w 7 --no-genesis-programs`, { mint: A, warpSlot: 7, genesisPrograms: false }],
  ])('reads "%s" as provision of the ledger', (line, expected) => {
    const { provision, ledgerFlags } = readArguments(line.split(' '));
    expect(provision).toEqual({ ...NOTHING.provision, ...expected });
    expect(ledgerFlags.length).toBeGreaterThan(0);
  });

  it.each([
    ['--rset', "Unknown option '--rset'. Did you mean --reset?"],
    ['--rpcport 1', 'Did you mean --rpc-port?'],
    ['--clone-upgradable-program x', 'Did you mean --clone-upgradeable-program?'],
    ['--zzz', "Unknown option '--zzz'.\n"],
    ['--toString', "Unknown option '--toString'.\n"],
    ['-z', "Unknown option '-z'.\n"],
    ['-', "Unknown option '-'.\n"],
    ['mcp --temp', 'mcp does not accept --temp.'],
    ['mcp --port-file p', 'mcp does not accept --port-file.'],
    ['--temp -l d', '--temp deletes the ledger'],
    ['start now', "Unexpected argument 'now'."],
    ['strat', "Unexpected argument 'strat'. Did you mean start?"],
    ['--reset balance', "Unexpected argument 'balance'. Pass only one command, before all options."],
    ['serve', "Unexpected argument 'serve'."],
    ['mcp now', "Unexpected argument 'now'."],
    ['mcp mcp', "Unexpected argument 'mcp'."],
    ['--reset=yes', 'Remove "=": --reset takes no value.'],
    ['--account=x', 'Remove "=": --account takes ADDRESS FILE.'],
    ['--rpc-port', '--rpc-port needs PORT.'],
    ['--rpc-port=', '--rpc-port needs PORT.'],
    ['--ledger --reset', '--ledger needs DIR.'],
    [`--account ${A}`, '--account needs ADDRESS FILE.'],
    ['--ledger a -l b', '-l is passed more than once.'],
    ['--clone abc --url d', "--clone needs a base58 address, not 'abc'."],
    [`--clone ${A}`, '--clone needs --url'],
    [`--maybe-clone ${A}`, '--maybe-clone needs --url'],
    [`--clone-upgradeable-program ${A}`, '--clone-upgradeable-program needs --url'],
    ['--fork', '--fork needs --url'],
    ['--url d', '--url does nothing by itself'],
    ['--url ftp://h', '--url needs an http(s) URL'],
    ['--warp-slot 1.5', '--warp-slot needs a whole number'],
    ['--warp-slot -1', "--warp-slot needs a whole number from 0 to 4503599627370496, not '-1'"],
    ['--warp-slot 4503599627370497', '--warp-slot needs a whole number'],
  ])('rejects "%s"', (line, words) => {
    const message = expect.stringContaining(words) as string;
    expect(() => readArguments(line.split(' '))).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message }),
    );
  });

  it('rejects an empty argument', () => {
    expect(() => readArguments([''])).toThrow("Unexpected argument ''");
  });

  it('does not quote a rejected URL, which may contain a key', () => {
    expect(() => readArguments(['--fork', '--url', 'ftp://canary'])).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('canary') as string }),
    );
  });

  it('overrides only existing variables', () => {
    const names: string[] = Object.values(VARIABLES).map(({ name }) => name);
    for (const [, { variable }] of FLAG_ENTRIES)
      if (variable !== undefined) expect(names).toContain(variable);
  });
});

describe('provisionOfRestart', () => {
  it('keeps the fork and loads nothing on a restart', () => {
    const line = `--fork -u ${NODE} -c ${A} --account - a.json --mint ${A} -w 7 --no-genesis-programs`;
    const { provision } = readArguments(line.split(' '));
    expect(provisionOfRestart(provision)).toEqual({ ...NOTHING.provision, url: NODE, fork: true });
  });
});
