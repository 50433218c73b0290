import { randomBytes } from 'node:crypto';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { createFacilitatorKey, createParty, DEPOSIT } from '../clients/paid/scenario.ts';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { installPeers } from './install-peers.ts';
import { call, percentile } from './load.ts';
import { here, listening, startStack } from './stack.ts';

/** Table header for {@link compareFacilitators}. The last three columns are ratios to the stock one. */
export const FACILITATORS_HEAD = [
  'call',
  'at once',
  'facilitator, ledger',
  'payments',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'p50',
  'p99',
  'CPU',
];

const STEPS = ['verify', 'settle'] as const;

/** Facilitators, and the ledgers on which their payments move balances. The first is the baseline. */
const FLOWS = [
  { facilitator: 'stock', ledger: 'base' },
  { facilitator: 'this', ledger: 'base' },
  { facilitator: 'this', ledger: 'rollup, public' },
  { facilitator: 'this', ledger: 'rollup, private' },
] as const;

/** Numbers of concurrent calls. */
const AT_ONCE = [1, 8] as const;

/** Payments per burst. They are built before it, and are few enough that no blockhash expires. */
const PAYMENTS = 32;

/** Rounds that are not counted. */
const WARM_UP = 4;

/** The calls of one line. */
interface Line {
  readonly step: (typeof STEPS)[number];
  readonly atOnce: (typeof AT_ONCE)[number];
  readonly durationsMs: number[];
  cpuMs: number;
}

/**
 * Compares the facilitator with the stock one from @x402/svm, in alternating bursts from the same resource
 * server on the same ledger node. The server runs the stock one in its own process, from which it calls the
 * node over HTTP. It calls this one over HTTP. CPU time is the sum for the server and this program, which
 * includes the node. Returns the table rows.
 */
export async function compareFacilitators(durationMs: number): Promise<string[][]> {
  installPeers();
  const { secretKey, address } = createFacilitatorKey();
  const stack = await startStack({ FACILITATOR_SECRET_KEY: secretKey });
  const { server, ledgerUrl } = stack;
  await call(ledgerUrl, 'requestAirdrop', [address, 10_000_000_000]);
  const serviceUrl = `http://127.0.0.1:${stack.servicePort}`;
  const urls = { serviceUrl, ledgerUrl, rollupUrl: `http://127.0.0.1:${stack.rollupPort}` };
  const shop = await listening([here('resource-server.mjs'), ledgerUrl, `${serviceUrl}/x402`, secretKey], 1);
  const ask = async (step: string, order: object): Promise<number[]> => {
    const body = JSON.stringify({ step, ...order });
    const response = await fetch(`http://127.0.0.1:${shop.port}/`, { method: 'POST', body });
    return (await response.json()) as number[];
  };
  const onBase = await createOrder(urls, 'base');
  const flows = await Promise.all(
    FLOWS.map(async ({ facilitator, ledger }) => ({
      name: `${facilitator}, ${ledger}`,
      facilitator,
      order: ledger === 'base' ? onBase : await createOrder(urls, ledger),
      lines: STEPS.flatMap((step) =>
        AT_ONCE.map((atOnce): Line => ({ step, atOnce, durationsMs: [], cpuMs: 0 })),
      ),
    })),
  );
  const bursts = AT_ONCE.flatMap((atOnce) =>
    flows.map((flow) => ({ ...flow, lines: flow.lines.filter((line) => line.atOnce === atOnce) })),
  );
  const cpuMs = (): number => server.cpuMs() + shop.server.cpuMs();
  const startMs = performance.now();
  for (let round = -WARM_UP; round <= 0 || performance.now() - startMs < durationMs; round++) {
    for (const { facilitator, order, lines } of bursts) {
      await ask('prepare', { ...order, count: PAYMENTS });
      for (const line of lines) {
        const before = cpuMs();
        const durationsMs = await ask(line.step, { facilitator, atOnce: line.atOnce });
        if (round < 0) continue;
        line.cpuMs += cpuMs() - before;
        line.durationsMs.push(...durationsMs);
      }
    }
  }
  await Promise.all([server.stop(), shop.server.stop()]);
  return (flows[0]?.lines ?? []).flatMap((stock, at) =>
    flows.map(({ name, lines }) => {
      const { step, atOnce, durationsMs } = lines[at] ?? stock;
      const [figures, compared] = [figuresOf(lines[at] ?? stock), figuresOf(stock)];
      return [
        step,
        String(atOnce),
        name,
        String(durationsMs.length),
        ...figures.map((figure) => figure.toFixed(2)),
        ...figures.map((figure, column) => `${(figure / Number(compared[column])).toFixed(2)}x`),
      ];
    }),
  );
}

function figuresOf({ durationsMs, cpuMs }: Line): number[] {
  return [percentile(durationsMs, 0.5), percentile(durationsMs, 0.99), cpuMs / durationsMs.length];
}

/** Creates a payer and a merchant with balances. Returns the resource server's parameters for a payment. */
async function createOrder(
  urls: Parameters<typeof createParty>[0],
  ledger: (typeof FLOWS)[number]['ledger'],
): Promise<object> {
  const seed = randomBytes(32);
  const payer = await createParty(urls, await createKeyPairSignerFromPrivateKeyBytes(seed));
  const merchant = await createParty(urls);
  const isPrivate = ledger === 'rollup, private';
  for (const { payments } of [payer, merchant]) {
    if (ledger !== 'base') await payments.deposit({ mint: USDC_MINT, amount: DEPOSIT, private: isPrivate });
    await payments.close();
  }
  return {
    rpcUrl: ledger === 'base' ? urls.ledgerUrl : urls.rollupUrl,
    payer: seed.toString('hex'),
    payTo: merchant.wallet.address,
    extra: isPrivate ? { settlement: 'private' } : {},
  };
}
