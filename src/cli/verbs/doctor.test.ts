import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../ledger/network-programs/testing/layout-b-dumps.ts';
import { findNode, findPrograms } from './doctor/machine-findings.ts';
import { openFakeNode } from './testing/fake-node.ts';
import { type } from './testing/typed.ts';

it('reports each unreachable part, its address and a fix', async () => {
  const env = { PORT: '1', LEDGER_RPC_PORT: '1', ROLLUP_RPC_PORT: '1', DATA_DIR: tmpdir() };
  const { code, stdout, stderr } = await type(['doctor'], { env });
  expect({ code, stderr }).toEqual({ code: 69, stderr: '' });
  expect(stdout).toContain(`ok     Node: ${process.versions.node}\n`);
  expect(stdout).toContain(`ok     virtual machine: loads on ${process.platform} ${process.arch}\n`);
  expect(stdout).toContain(
    [
      'fault  tool service: no tool service answers at 127.0.0.1:1',
      '       Start one with "spl-private-payments start", or pass its address with --service.',
      'fault  base ledger: nothing answers at 127.0.0.1:1',
      '       Start one with "spl-private-payments start", or pass its address with --url.',
      'fault  rollup: nothing answers at 127.0.0.1:1',
    ].join('\n'),
  );
});

it.each([
  ['20.17.0', 'fault'],
  ['18.20.4', 'fault'],
  ['20.18.0', 'ok'],
  ['22.1.0', 'ok'],
])('judges Node %s: %s', (version, level) => {
  expect(findNode(version).level).toBe(level);
});

describe('the programs of a new ledger', () => {
  const nowhere = { installed: null, cache: '/nowhere' };

  it('are searched here and at the registry, with a fix if missing', async () => {
    const server = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const env = { npm_config_registry: `http://127.0.0.1:${port}/` };
    expect(await findPrograms(env)).toMatchObject({ level: 'ok', found: 'are on this machine' });
    expect(await findPrograms(env, nowhere)).toMatchObject({
      level: 'fault',
      found: `are not on this machine, and 127.0.0.1:${port} does not return @magicblock-labs/ephemeral-validator@0.8.3`,
      fix: expect.stringContaining('npm install @magicblock-labs/ephemeral-validator@0.8.3'),
    });
    server.removeAllListeners('request').on('request', (_, response) => response.writeHead(200).end());
    expect(await findPrograms(env, nowhere)).toMatchObject({ level: 'ok' });
  });

  it.each([
    ['a missing folder', '/nowhere/at-all', '/nowhere/at-all is not a folder'],
    ['a folder without them', tmpdir(), 'ephemeral_spl_token.so'],
    ['an invalid place', 'ftp://127.0.0.1', 'LOCALNET_PROGRAMS must be a folder'],
  ])('are reported as a fault if LOCALNET_PROGRAMS names %s', async (_, place, found) => {
    expect(await findPrograms({ LOCALNET_PROGRAMS: place })).toMatchObject({
      level: 'fault',
      found: expect.stringContaining(found),
      fix: 'Correct or remove LOCALNET_PROGRAMS.',
    });
  });

  it('are reported as a fault if LOCALNET_PROGRAMS names a cluster without them', async () => {
    const node = await openFakeNode({
      getSlot: () => 1,
      getMultipleAccounts: ([addresses]) => {
        const value = (addresses as unknown[]).map(() => null);
        return { context: { slot: 1 }, value };
      },
    });
    onTestFinished(() => node.close());
    const finding = await findPrograms({ LOCALNET_PROGRAMS: `${node.url}/?key=canary` });
    expect(finding).toMatchObject({
      level: 'fault',
      found: expect.stringContaining('the cluster in --programs'),
    });
    expect(JSON.stringify(finding)).not.toContain('canary');
  });

  it.skipIf(LAYOUT_B_FOLDER === null)(
    `are those of a folder that contains them (needs ${NO_LAYOUT_B})`,
    async () => {
      const finding = await findPrograms({ LOCALNET_PROGRAMS: LAYOUT_B_FOLDER ?? '' }, nowhere);
      expect(finding).toMatchObject({ level: 'ok', found: 'from LOCALNET_PROGRAMS' });
    },
  );

  it('are not requested from a registry with a password, which is not quoted', async () => {
    const env = { npm_config_registry: 'https://me:canary@registry.example/' };
    const finding = await findPrograms(env, nowhere);
    expect(finding.level).toBe('fault');
    expect(JSON.stringify(finding)).not.toContain('canary');
  });
});

it('does not repeat a key in a URL', async () => {
  const { stdout } = await type([
    'doctor',
    '--url',
    'devnet',
    '--base',
    'http://127.0.0.1:1/?key=canary',
    '--json',
  ]);
  expect(stdout).not.toContain('canary');
  expect(JSON.parse(stdout)).toMatchObject({ isWell: false });
});
