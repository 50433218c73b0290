import { Keypair } from '../../src/ledger/keypair.ts';
import { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { startNetwork } from '../replicas/network.ts';
import { type StackProcess, startStack } from '../stack-process.ts';
import { kill, PRICE, type Sent, settle, settleToTheEnd, Shop } from './shop.ts';

const PAYMENTS_AT_ONCE = 4;

/** The figures of kill rounds with a facilitator. */
interface FacilitatorKillFigures {
  readonly rounds: number;
  readonly payments: number;
  /** Payments that were stored but not answered at the kill. */
  readonly openAtKill: number;
  /** Payments whose success was answered more than once, or with different signatures. */
  readonly doubled: number;
  /** Payments that did not settle in the end. */
  readonly lost: number;
  /** Base units that the merchant has more (or less) than the price of all payments. */
  readonly surplus: bigint;
}

/** The folders of a localnet and of a facilitator. */
interface Places {
  readonly network: string;
  readonly facilitator: string;
  /** PostgreSQL database for the payments. Default: the folder of the facilitator. */
  readonly stateUrl?: string;
}

/** Kills a facilitator `rounds` times while it settles payments, and settles them again after each restart. */
export async function runFacilitatorKills(
  rounds: number,
  seed: string,
  { network: networkFolder, facilitator: folder, stateUrl }: Places,
): Promise<FacilitatorKillFigures> {
  const random = new SeededRandom(seed);
  const network = await startNetwork(networkFolder, 2);
  const shop = new Shop(network, new Keypair(random.bytes(32)), random.bytes(32));
  const env = { ...shop.env, ...(stateUrl !== undefined && { STATE_URL: stateUrl }) };
  const start = (): Promise<StackProcess> => startStack(folder, { env });
  let stack: StackProcess | undefined;
  const counts = { payments: 0, openAtKill: 0, doubled: 0, lost: 0 };
  try {
    await shop.open();
    stack = await start();
    for (let round = 0; round < rounds; round += 1) {
      const sent = await Promise.all(Array.from({ length: PAYMENTS_AT_ONCE }, () => shop.build()));
      const { serviceUrl } = stack;
      const requests = sent.map((payment) => settle(serviceUrl, payment).catch(() => undefined));
      await untilAnswered(serviceUrl, sent, random.integer(PAYMENTS_AT_ONCE));
      await kill(stack);
      await Promise.all(requests);
      const open = sent.filter(({ answers }) => answers.length === 0);
      stack = await start();
      const { serviceUrl: url } = stack;
      for (const { id } of open) if ((await fetch(`${url}/x402/payments/${id}`)).ok) counts.openAtKill += 1;
      for (const payment of sent) await settleToTheEnd(url, payment);
      counts.payments += sent.length;
      for (const { answers, id } of sent) {
        const signatures = new Set(
          answers.map(({ transaction }) => transaction).filter((text) => text !== ''),
        );
        const successes = answers.filter(({ success }) => success === true);
        if (successes.length > 1 || signatures.size > 1) counts.doubled += 1;
        const { state } = (await (await fetch(`${url}/x402/payments/${id}`)).json()) as { state?: string };
        if (state !== 'settled') counts.lost += 1;
      }
    }
    const surplus = (await shop.received()) - PRICE * BigInt(counts.payments);
    return { rounds, ...counts, surplus };
  } finally {
    if (stack !== undefined) await stack.stop();
    await network.stop();
  }
}

/** Waits for a number of answers, or only until a payment is stored if it is 0. */
async function untilAnswered(url: string, sent: readonly Sent[], count: number): Promise<void> {
  const isStored = async ({ id }: Sent): Promise<boolean> => (await fetch(`${url}/x402/payments/${id}`)).ok;
  for (;;) {
    const answered = sent.filter(({ answers }) => answers.length > 0).length;
    const isStarted = (await Promise.all(sent.map(isStored))).includes(true);
    if (answered >= count && isStarted) return;
  }
}
