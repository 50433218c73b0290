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
  formatBanner(readConfig({ FAUCET_SOL: '77', ...env }), { ...APP, ...changes }, '/bundle/main.js');

describe('formatBanner', () => {
  it.each([
    ['  Console        http://127.0.0.1:1000\n'],
    ['  Tool service   http://127.0.0.1:1000/mcp '],
    ['  Ledger node    http://127.0.0.1:2000 '],
    ['  Rollup         http://127.0.0.1:3000 '],
    ['  Ledger folder  /folder\n'],
    ["  Programs       MagicBlock's, Business Source License 1.1: for non-production use only\n"],
    [
      ' && node /bundle/main.js fund --url http://127.0.0.1:2000 --rollup http://127.0.0.1:3000 -k alice.json',
    ],
    ['  Warning: mind this\nReady.'],
  ])('contains "%s"', (words) => {
    expect(banner()).toContain(words);
  });

  it('has at most 12 lines without warnings', () => {
    expect(banner({ warnings: [], layout: 'b' }).trimEnd().split('\n').length).toBeLessThanOrEqual(12);
  });

  it('shows commands without addresses if these are the defaults, and sets up the mint on layout B', () => {
    const usual = { serviceUrl: 'http://127.0.0.1:8787', ledgerUrl: 'http://127.0.0.1:8899' };
    const shown = banner({ ...usual, rollupUrl: 'http://127.0.0.1:7799', layout: 'b' });
    expect(shown).toContain(
      ' && node /bundle/main.js init-mint -k alice.json && node /bundle/main.js deposit 1.5 -k alice.json\n',
    );
    expect(banner()).not.toContain('init-mint');
  });

  it('shows the URLs of the facilitator and of merchants if they are on', () => {
    expect(banner()).not.toMatch(/Facilitator|Merchants/);
    expect(banner({}, { CHECKOUT_SECRET: 'x'.repeat(32) })).toContain(
      '  Merchants      http://127.0.0.1:1000/v1/merchants\n',
    );
    expect(banner({}, { FACILITATOR_SECRET_KEY: '[]' })).toContain(
      '  Facilitator    http://127.0.0.1:1000/x402\n',
    );
  });

  it('quotes the path of the program if it has a space', () => {
    const text = formatBanner(readConfig({}), APP, '/a folder/main.js');
    expect(text).toContain('    node "/a folder/main.js" wallet new -k alice.json && ');
  });

  it('names the programs of layout B', () => {
    expect(banner({ layout: 'b' })).toContain(
      "  Programs       the versions of the Solana networks (layout B), MagicBlock's,",
    );
  });

  it('names the default cluster if that is another ledger (bug: BASE_RPC_URL)', () => {
    expect(banner()).not.toContain('Cluster');
    expect(banner({}, { BASE_RPC_URL: 'http://127.0.0.1:1' })).toContain(
      '  Cluster        mainnet by default; this ledger is "localnet"\n',
    );
  });

  it('shows the exposure', () => {
    expect(banner()).toContain(
      '  Exposure       this machine: cheats on, metrics on, console on, no rate limit, no faucet limit\n',
    );
    const proxied = banner({}, { PUBLIC_URL: 'https://pay.example' });
    expect(proxied).toContain(
      '  Exposure       behind a proxy: cheats off, metrics off, console off, 50 requests/s per address, faucet limited\n',
    );
    expect(proxied).not.toContain('  Console');
  });

  it('shows the number of workers if there are several', () => {
    expect(banner()).not.toContain('WORKERS');
    expect(
      banner({}, { WORKERS: '4', LEDGER_UPSTREAM_URL: 'http://127.0.0.1:1', CLUSTER: 'devnet' }),
    ).toContain('  Workers        4 processes share the ports (WORKERS)\n');
  });

  it('shows no payment if the ledger has no mint', () => {
    const text = banner({ mints: [] });
    expect(text).not.toContain('deposit');
    expect(text).not.toContain('Programs');
  });

  it('shows no ledger and no upstream URL for a gateway', () => {
    const text = banner(
      { dataFolder: null, rollupUrl: null },
      { LEDGER_UPSTREAM_URL: 'http://127.0.0.1:1/canary', CLUSTER: 'devnet' },
    );
    expect(text).toContain(
      'http://127.0.0.1:2000   (WebSocket on the next port; both forward to LEDGER_UPSTREAM_URL)',
    );
    expect(text).toContain('  Cluster        devnet by default\n');
    for (const words of ['Programs', '/folder', 'deposit', 'canary']) expect(text).not.toContain(words);
  });
});
