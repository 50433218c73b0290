import { once } from 'node:events';
import { createRequire } from 'node:module';
import type Ws from 'ws';
import { call, rpcText } from '../call.ts';
import { inScope } from '../scope.ts';
import type { Section } from '../section.ts';
import { startServer, type ServerProcess } from '../server-process.ts';
import { here, portOf, readyPort, startStack } from '../stack.ts';
import { median, percentile } from '../statistics.ts';
import { markdown, ratio } from '../table.ts';
import { loadPopulation } from './population.ts';

// The version the ledger node has: what the benchmark compares with brings another one.
const WebSocket = createRequire(new URL('../../package.json', import.meta.url))('ws') as typeof Ws;

const SUBSCRIBERS = 1_000;
const NOTICES_PER_ROUND = 20;
const AIRDROP_LAMPORTS = 100_000_000_000;
/** What the floor sends is as long as what the ledger node sends. */
const NOTICE_BYTES = 300;

/** One change of an account, told to everybody who subscribed to it. */
export const fanOut: Section = {
  name: 'fan-out',
  title: `accountSubscribe: one change told to ${SUBSCRIBERS} subscribers, each on a connection of its own`,
  run: ({ rounds }) =>
    inScope(async ({ keep, folder }) => {
      const ours = keep(await startStack(await folder()));
      const floor = keep(await startServer([here('ledger/fan-out-floor.mjs')], /ready \d+/));
      const { wallets, signTransfer } = await loadPopulation();
      const [payer, watched] = wallets.map(({ address }) => address);
      for (const address of [payer, watched]) {
        await call(ours.ledgerUrl, 'requestAirdrop', [address, AIRDROP_LAMPORTS]);
      }
      let next = 0;
      const signTransfers = async (): Promise<readonly string[]> => {
        const { value } = await call<{ value: { blockhash: string } }>(ours.ledgerUrl, 'getLatestBlockhash');
        return Array.from({ length: NOTICES_PER_ROUND }, () => {
          // Of every 64 transfers the first is from the first wallet to the second.
          const { wire } = signTransfer(wallets.length * next++, value.blockhash);
          return Buffer.from(wire).toString('base64');
        });
      };
      const floorUrl = `http://127.0.0.1:${readyPort(floor)}`;
      const message = JSON.stringify({ pad: 'x'.repeat(NOTICE_BYTES) });
      const kinds = [
        {
          name: 'bare ws server (the floor)',
          server: floor,
          crowd: keep(await gather(floorUrl)),
          prepare: async () => Array.from({ length: NOTICES_PER_ROUND }, () => message),
          act: (body: string) => fetch(floorUrl, { method: 'POST', body }),
        },
        {
          name: 'ledger node, durable transfer and notification',
          server: ours,
          crowd: keep(
            await gather(
              `http://127.0.0.1:${portOf(ours.ledgerUrl) + 1}`,
              rpcText('accountSubscribe', [watched, { encoding: 'base64', commitment: 'confirmed' }]),
            ),
          ),
          prepare: signTransfers,
          act: (text: string) =>
            call(ours.ledgerUrl, 'sendTransaction', [text, { encoding: 'base64', skipPreflight: true }]),
        },
      ].map((kind) => ({ ...kind, figures: [] as Notice[] }));
      for (let round = -1; round < rounds; round++) {
        for (const { server, crowd, prepare, act, figures } of kinds) {
          for (const text of await prepare()) {
            const notice = await tell(server, crowd, () => act(text));
            if (round >= 0) figures.push(notice);
          }
        }
      }
      return { text: formatNotices(kinds) };
    }),
};

/** One change, from when it was sent until everybody had heard of it. */
interface Notice {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly cpuMs: number;
}

/** Those who listen. */
interface Crowd {
  /** Resolves when every one has heard once more, with how long the first and the last took from now, ms. */
  hear(): Promise<{ firstMs: number; lastMs: number }>;
  stop(): void;
}

/** Connects everybody; each sends `subscription`, if there is one, and waits for the answer. */
async function gather(url: string, subscription?: string): Promise<Crowd> {
  const sockets: Ws[] = [];
  for (let number = 0; number < SUBSCRIBERS; number++) {
    const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false });
    await once(socket, 'open');
    if (subscription !== undefined) {
      socket.send(subscription);
      const [answer] = (await once(socket, 'message')) as [Buffer];
      if (!answer.includes('"result":')) throw new Error(answer.toString());
    }
    sockets.push(socket);
  }
  let heard = 0;
  let onHeard = (_count: number): void => {};
  for (const socket of sockets) socket.on('message', () => onHeard(++heard));
  return {
    hear: () =>
      new Promise((resolve) => {
        const startedMs = performance.now();
        let firstMs = 0;
        heard = 0;
        onHeard = (count) => {
          const tookMs = performance.now() - startedMs;
          if (count === 1) firstMs = tookMs;
          if (count === SUBSCRIBERS) resolve({ firstMs, lastMs: tookMs });
        };
      }),
    stop: () => sockets.forEach((socket) => socket.terminate()),
  };
}

async function tell(server: ServerProcess, crowd: Crowd, act: () => Promise<unknown>): Promise<Notice> {
  const before = server.cpuMs();
  const [times] = await Promise.all([crowd.hear(), act()]);
  return { ...times, cpuMs: server.cpuMs() - before };
}

function formatNotices(
  kinds: readonly { readonly name: string; readonly figures: readonly Notice[] }[],
): string {
  // CPU time is counted in steps of 10 ms: only its sum means something.
  const cpuOf = (figures: readonly Notice[]): number =>
    (figures.reduce((sum, { cpuMs }) => sum + cpuMs, 0) * 1_000) / (figures.length * SUBSCRIBERS);
  const floor = cpuOf(kinds[0]?.figures ?? []);
  return markdown(
    kinds.map(({ name, figures }) => {
      const last = figures.map(({ lastMs }) => lastMs);
      return {
        what: name,
        'CPU us/notification': cpuOf(figures).toFixed(1),
        'to the floor': ratio(cpuOf(figures), floor),
        'first told, p50 ms': median(figures.map(({ firstMs }) => firstMs)).toFixed(1),
        'last told, p50 ms': median(last).toFixed(1),
        'last told, p99 ms': percentile(last, 0.99).toFixed(1),
      };
    }),
  );
}
