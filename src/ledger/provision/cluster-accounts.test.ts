import { expect, it, onTestFinished } from 'vitest';
import { serveHttp } from '../../chain/testing/loopback-server.ts';
import { systemTimer } from '../../ports/timer.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { HandClock } from '../testing/hand-clock.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { openClusterAccounts } from './clone-accounts.ts';

const CANARY = 'f00dcafe-key';

/** Reads from a server that answers with what `answer` makes of the addresses it is asked for. */
async function openAgainst(answer: (addresses: readonly Address[]) => object) {
  const asked: (readonly Address[])[] = [];
  const server = await serveHttp((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { id, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
        id: number;
        params: [Address[]];
      };
      asked.push(params[0]);
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer(params[0]) }));
    })();
  });
  onTestFinished(() => server.close());
  const lines: unknown[] = [];
  const log = (fields: object, message: string): void => void lines.push(fields, message);
  const url = new URL(`/${CANARY}?api-key=${CANARY}`, server.url);
  const accounts = openClusterAccounts(url, {
    clock: new HandClock(),
    random: new SeededRandom('cluster'),
    timer: systemTimer,
    logger: { debug: log, info: log, warn: log, error: log },
  });
  onTestFinished(() => accounts.close());
  return { accounts, asked, lines };
}

const addresses = Array.from({ length: 205 }, (_, index) => addressOf(new Uint8Array(32).fill(index + 1)));

it('openClusterAccounts reads in batches of 100 and keeps the order', async () => {
  const { accounts, asked } = await openAgainst((batch) => ({
    result: {
      context: { slot: 1 },
      value: batch.map((owner, index) =>
        index % 2 === 0
          ? null
          : { lamports: 5, owner, data: ['', 'base64'], executable: false, rentEpoch: 0 },
      ),
    },
  }));
  const found = await accounts.getAccounts(addresses);
  expect(asked.map((batch) => batch.length)).toEqual([100, 100, 5]);
  expect(found.map((account) => account?.owner)).toEqual(
    addresses.map((address, index) => (index % 2 === 0 ? undefined : address)),
  );
});

it.each([
  [{ error: { code: -32603, message: `no such key: ${CANARY}` } }, 'UPSTREAM_UNAVAILABLE'],
  [{ result: { context: { slot: 1 }, value: [] } }, 'UPSTREAM_INVALID'],
])('openClusterAccounts explains %j, without the URL', async (answer, code) => {
  const { accounts, lines } = await openAgainst(() => answer);
  const thrown: Error = await accounts.getAccounts(addresses.slice(0, 1)).then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error as Error,
  );
  expect(thrown).toMatchObject({ code });
  expect(lines.length).toBeGreaterThan(0);
  expect(JSON.stringify([thrown.message, thrown, lines])).not.toContain(CANARY);
});
