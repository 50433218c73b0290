import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callNode } from './node-rpc.ts';

/** A server that answers everything with this text, and notes who asks. */
async function answering(body: string, status = 200) {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    asked.push(headers.authorization);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { asked, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('callNode', () => {
  it('logs in with the user of the URL (bug: such a node counted as unavailable)', async () => {
    const { asked, host } = await answering('{"jsonrpc":"2.0","id":1,"result":7}');
    const url = new URL(`http://us%40er:word@${host}`);
    expect(await callNode({ name: 'the node', url }, 'getSlot')).toBe(7);
    expect(asked).toEqual([`Basic ${Buffer.from('us@er:word').toString('base64')}`]);
  });

  it('rejects errors that are not JSON-RPC (bug: it repeated the text of another server)', async () => {
    const { host } = await answering('{"error":{"message":"This path allows GET"}}', 405);
    await expect(
      callNode({ name: 'the node', url: new URL(`http://${host}`) }, 'getSlot'),
    ).rejects.toMatchObject({
      code: 'UPSTREAM_INVALID',
      message: expect.stringContaining('check that its URL points to a ledger node'),
    });
  });

  it('distinguishes a slow node from a missing one', async () => {
    const late = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new DOMException('', 'TimeoutError'));
    onTestFinished(() => late.mockRestore());
    const node = { name: 'the node', url: new URL('http://127.0.0.1:1') };
    await expect(callNode(node, 'getSlot')).rejects.toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
      message: expect.stringContaining('did not answer within 15 s'),
    });
  });
});
