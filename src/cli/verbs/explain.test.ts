import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { EXAMPLE_ANSWERS } from '../../client/testing/example-answers.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { type } from './testing/typed.ts';

/** The bytes of a deposit. */
const BYTES = String(EXAMPLE_ANSWERS['deposit']?.['transactionBase64']);

it('asks no node for anything with --offline (bug: it asked, and failed where none answered)', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const layout of [[], ['--layout', 'a'], ['--layout', 'b']]) {
    const line = ['explain', BYTES, '--offline', '--json', '--url', url, '--rollup', url, ...layout];
    const { code, stdout, stderr } = await type(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ chainRead: false, verdict: 'caution' });
  }
  expect(requests).toBe(0);
});

it.each(['mainnet', 'devnet', 'mainnet-private'])(
  'takes %s for what it is with --offline (bug: it wanted a node, which it does not ask)',
  async (url) => {
    const { code, stdout, stderr } = await type(['explain', BYTES, '--offline', '--url', url, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ cluster: url, chainRead: false, verdict: 'caution' });
  },
);

it('reads as it did of a network that is not asked', async () => {
  const line = ['explain', BYTES, '--offline', '--url', 'mainnet'];
  const { code, stdout, stderr } = await type(line);
  const shown = [`$ spp ${line.join(' ')}`, stdout + stderr, `(exit code ${code})`, ''].join('\n');
  await expect(shown).toMatchFileSnapshot('testing/golden/offline.txt');
});

it('does not look a signature up with --offline, and says so', async () => {
  const signature = encodeBase58(new Uint8Array(64).fill(7));
  const { code, stderr } = await type(['explain', signature, '--offline', '--url', 'http://127.0.0.1:1']);
  expect([code, stderr]).toEqual([78, expect.stringContaining('pass the bytes instead')]);
});
