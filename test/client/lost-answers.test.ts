import { createClient } from '@solana/kit';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { privatePayments } from '../../src/kit/index.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { runApp, type RunningApp } from './running-app.ts';

const mint = USDC_MINT as string;

/** The behavior of a connection to a ledger for a transaction. */
type Weather = 'carries it, and loses the answer' | 'loses it on the way';

/** A ledger behind a connection that breaks at the first transaction. */
async function behindWeather(ledgerUrl: string, weather: Weather): Promise<{ server: Server; url: string }> {
  let isOver = false;
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const body = await text(request);
      const isStruck = !isOver && body.includes('"sendTransaction"');
      if (isStruck) isOver = true;
      if (isStruck && weather === 'loses it on the way') return void request.socket.destroy();
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(ledgerUrl, { method: 'POST', headers, body });
      const told = await answer.text();
      if (isStruck) return void request.socket.destroy();
      response.writeHead(answer.status, headers).end(told);
    };
    void pass();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('a payment whose answer is lost', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await runApp();
  });
  afterAll(() => app.close());

  it.each<Weather>(['carries it, and loses the answer', 'loses it on the way'])(
    'is looked up and paid once if the connection %s',
    async (weather) => {
      const [alice, bob] = [await app.wallet(), await app.wallet()];
      const { server, url } = await behindWeather(app.ledgerUrl, weather);
      const { payments } = createClient({ payer: alice }).use(
        privatePayments({ url: app.serviceUrl, base: url, rollup: app.rollupUrl }),
      );
      const terms = { to: bob.address, mint, amount: 1_000_000n, visibility: 'public' } as const;
      expect((await payments.transfer(terms)).outcome).toBe('arrived');
      expect(await payments.balance({ mint })).toBe(9_000_000n);
      expect(await payments.balance({ mint, address: bob.address })).toBe(11_000_000n);
      await payments.close();
      server.closeAllConnections();
      server.close();
    },
    40_000,
  );
});
