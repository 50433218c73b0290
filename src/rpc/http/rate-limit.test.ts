import { describe, expect, it, onTestFinished } from 'vitest';
import { openListener } from '../../http/server.ts';
import { refuseUpgrade } from '../../http/upgrade.ts';
import { RateLimiter } from '../../service/rate-limiter.ts';
import { sendRequest } from '../testing/send-request.ts';
import { limitRequests, limitUpgrades } from './rate-limit.ts';

const HANDSHAKE = { method: 'GET', headers: { connection: 'upgrade', upgrade: 'websocket' } };

async function serve(limiter: RateLimiter | undefined): Promise<string> {
  const listener = await openListener('127.0.0.1', 0);
  onTestFinished(() => listener.close());
  listener.serve(limitRequests((_request, response) => response.end('served'), limiter));
  listener.onUpgrade(limitUpgrades((_request, socket) => refuseUpgrade(socket, 418, ''), limiter));
  return listener.url;
}

const twoAMinute = (): RateLimiter =>
  new RateLimiter({ requestsPerSecond: 2 / 60, burst: 2 }, { now: () => 0 });

describe('a client over its rate limit', () => {
  it('gets the time to retry as a JSON-RPC error', async () => {
    const url = await serve(twoAMinute());
    for (const _ of [1, 2]) expect(await sendRequest(url, { body: '{}' })).toMatchObject({ status: 200 });
    const headers = { 'content-type': 'application/json', origin: 'https://wallet.example' };
    const refused = await sendRequest(url, { headers, body: '{}' });
    expect(refused).toMatchObject({
      status: 429,
      headers: {
        'retry-after': '30',
        'ratelimit-policy': '"client";q=2;w=60',
        'access-control-allow-origin': 'https://wallet.example',
      },
    });
    expect(JSON.parse(refused.body)).toEqual({
      jsonrpc: '2.0',
      error: { code: 429, message: 'Too many requests from this address; try again in 30 s' },
      id: null,
    });
  });

  it('cannot open more WebSockets either', async () => {
    const url = await serve(twoAMinute());
    for (const _ of [1, 2]) expect((await sendRequest(url, HANDSHAKE)).status).toBe(418);
    const refused = await sendRequest(url, HANDSHAKE);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '30']);
  });

  it('may still request health and preflights', async () => {
    const url = await serve(twoAMinute());
    for (const _ of [1, 2, 3]) {
      expect((await sendRequest(url, { method: 'GET', path: '/health' })).status).toBe(200);
      expect((await sendRequest(url, { method: 'OPTIONS' })).status).toBe(200);
    }
    expect((await sendRequest(url, { body: '{}' })).headers).not.toHaveProperty('retry-after');
  });

  it('is not limited without a limit', async () => {
    const url = await serve(undefined);
    for (const _ of [1, 2, 3]) expect((await sendRequest(url, { body: '{}' })).status).toBe(200);
    expect((await sendRequest(url, HANDSHAKE)).status).toBe(418);
  });
});
