import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { EXAMPLE_ANSWERS } from '../../client/testing/example-answers.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { type } from './testing/typed.ts';

/** The bytes of a deposit. */
const BYTES = String(EXAMPLE_ANSWERS['deposit']?.['transactionBase64']);

it('calls no node with --offline (bug: it failed if no node responded)', async () => {
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
  'accepts %s with --offline (bug: it required a node)',
  async (url) => {
    const { code, stdout, stderr } = await type(['explain', BYTES, '--offline', '--url', url, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ cluster: url, chainRead: false, verdict: 'caution' });
  },
);

it('matches the recorded output for an offline network', async () => {
  const line = ['explain', BYTES, '--offline', '--url', 'mainnet'];
  const { code, stdout, stderr } = await type(line);
  const shown = [`$ spp ${line.join(' ')}`, stdout + stderr, `(exit code ${code})`, ''].join('\n');
  await expect(shown).toMatchFileSnapshot('testing/golden/offline.txt');
});

it('rejects a signature with --offline', async () => {
  const signature = encodeBase58(new Uint8Array(64).fill(7));
  const { code, stderr } = await type(['explain', signature, '--offline', '--url', 'http://127.0.0.1:1']);
  expect([code, stderr]).toEqual([78, expect.stringContaining('pass the bytes of the transaction instead')]);
});
