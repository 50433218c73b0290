import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { formatBanner, type ShownApp } from './banner.ts';

const APP: ShownApp = {
  version: '1.2.3',
  serviceUrl: 'http://127.0.0.1:1000',
  ledgerUrl: 'http://127.0.0.1:2000',
  rollupUrl: 'http://127.0.0.1:3000',
  dataFolder: '/folder',
  layout: 'a',
  mints: [{ name: 'USDC', address: 'MINT' }],
  warnings: ['mind this'],
};

const banner = (changes: Partial<ShownApp> = {}, env: Record<string, string> = {}): string =>
  formatBanner(readConfig({ FAUCET_SOL: '77', ...env }), { ...APP, ...changes });

describe('formatBanner', () => {
  it.each([
    ['  Tool service   http://127.0.0.1:1000/mcp '],
    ['  Ledger node    http://127.0.0.1:2000 '],
    ['  WebSocket      ws://127.0.0.1:2001 '],
    ['  Rollup         http://127.0.0.1:3000 '],
    ['  Ledger folder  /folder'],
    ['  Faucet         requestAirdrop, requestTokenAirdrop; 77 SOL'],
    ['  Mints          MINT  USDC'],
    ["  Programs       MagicBlock's, under the Business Source License 1.1: for non-production use only\n"],
    ['"requestTokenAirdrop","params":["<WALLET>", "MINT", 100000000]'],
    [
      '    npx spl-private-payments fund --url http://127.0.0.1:2000 --rollup http://127.0.0.1:3000 -k alice.json\n',
    ],
    ['  Warning: mind this\nReady.'],
  ])('has "%s"', (words) => {
    expect(banner()).toContain(words);
  });

  it('shows commands without addresses where everything is at its usual place', () => {
    const usual = { serviceUrl: 'http://127.0.0.1:8787', ledgerUrl: 'http://127.0.0.1:8899' };
    expect(banner({ ...usual, rollupUrl: 'http://127.0.0.1:7799' })).toContain(
      '    npx spl-private-payments deposit 1.5 -k alice.json\n',
    );
  });

  it('says whose the programs of layout B are, and under which licence', () => {
    expect(banner({ layout: 'b' })).toContain(
      "  Programs       those of the networks (layout B), MagicBlock's, under the Business Source License 1.1: for non-production use only\n",
    );
  });

  it('sets the mint up first where the programs are of layout B (bug: the first deposit was refused)', () => {
    expect(banner()).not.toContain('init-mint');
    const usual = { serviceUrl: 'http://127.0.0.1:8787', ledgerUrl: 'http://127.0.0.1:8899' };
    expect(banner({ ...usual, rollupUrl: 'http://127.0.0.1:7799', layout: 'b' })).toContain(
      [
        '    npx spl-private-payments init-mint -k alice.json',
        '    npx spl-private-payments deposit 1.5 -k alice.json\n',
      ].join('\n'),
    );
  });

  it('does not speak of this ledger as the default where another cluster is (bug: BASE_RPC_URL)', () => {
    expect(banner()).toContain('localnet, this ledger, where a request names none');
    expect(banner({}, { BASE_RPC_URL: 'http://127.0.0.1:1' })).toContain(
      'mainnet where a request names none; this ledger is "localnet"',
    );
  });

  it('says who reaches the listeners, and what follows', () => {
    expect(banner()).toContain(
      '  Exposure       this machine: cheats on, metrics on, console on, no rate limit, no faucet limit\n',
    );
    expect(banner({}, { PUBLIC_URL: 'https://pay.example' })).toContain(
      '  Exposure       behind a proxy: cheats off, metrics off, console off, 50 requests/s from an address, faucet limited\n',
    );
  });

  it('tells of workers where there are several', () => {
    expect(banner()).not.toContain('WORKERS');
    expect(banner({}, { WORKERS: '4' })).toContain('  Workers        4 processes share its port (WORKERS)\n');
  });

  it('offers no token faucet where the ledger has no mint', () => {
    const text = banner({ mints: [] });
    expect(text).not.toContain('"requestTokenAirdrop"');
    expect(text).not.toContain('USDC');
    expect(text).not.toContain('Programs');
  });

  it('writes IPv6 addresses as URLs do', () => {
    expect(banner({ ledgerUrl: 'http://[::1]:2000' })).toContain('ws://[::1]:2001');
  });

  it('shows no ledger where the node forwards, and nothing of where to', () => {
    const text = banner(
      { dataFolder: null, rollupUrl: null },
      { LEDGER_UPSTREAM_URL: 'http://127.0.0.1:1/canary', CLUSTER: 'devnet' },
    );
    expect(text).toContain('http://127.0.0.1:2000   (Solana JSON-RPC, forwarded to LEDGER_UPSTREAM_URL)');
    expect(text).toContain('  Cluster        devnet where a request names none\n');
    for (const words of ['WebSocket', 'Faucet', 'Programs', '/folder', 'requestAirdrop', 'canary']) {
      expect(text).not.toContain(words);
    }
  });
});
