import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keypair } from '../../src/ledger/keypair.ts';
import { systemRandom } from '../../src/ports/random.ts';
import { missingPrograms, startPostgres } from '../../src/state/testing/server-process.ts';
import { openTcpCutter, type TcpCutter } from '../../src/state/testing/tcp-cutter.ts';
import { folderOfFile } from '../folders.ts';
import { ask, membersOf } from '../replicas/ask.ts';
import { startNetwork } from '../replicas/network.ts';
import { type StackProcess, startStack, waitFor } from '../stack-process.ts';
import { kill, PRICE, settle, Shop } from './shop.ts';

const MISSING = missingPrograms('postgres', 'initdb', 'pg_isready');

const PAYMENTS = 8;

describe.skipIf(MISSING)(`two facilitators with one database${MISSING ? ` (${MISSING})` : ''}`, () => {
  let shop: Shop;
  let toPostgres: TcpCutter;
  const replicas: StackProcess[] = [];

  let stop = async (): Promise<void> => undefined;
  afterAll(() => stop());

  beforeAll(async () => {
    const [network, postgres] = await Promise.all([startNetwork(await folderOfFile(), 2), startPostgres()]);
    toPostgres = await openTcpCutter(postgres.port);
    stop = async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await Promise.all([network.stop(), postgres.stop(), toPostgres.close()]);
    };
    shop = new Shop(network, new Keypair(systemRandom.bytes(32)), systemRandom.bytes(32));
    await shop.open();
    const env = {
      ...shop.env,
      STATE_URL: postgres.url.replace(String(postgres.port), String(toPostgres.port)),
    };
    const start = async (): Promise<StackProcess> => startStack(await folderOfFile(), { env });
    replicas.push(...(await Promise.all([start(), start()])));
  });

  it('settle a payment once that both receive at the same moment', async () => {
    const sent = await Promise.all(Array.from({ length: PAYMENTS }, () => shop.build()));
    await Promise.all(
      sent.flatMap((payment) => replicas.map(({ serviceUrl }) => settle(serviceUrl, payment))),
    );
    for (const { answers } of sent) {
      const reasons = answers.map(({ success, errorReason }) => (success === true ? 'success' : errorReason));
      expect(reasons.sort()).toEqual(['duplicate_settlement', 'success']);
      expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(1);
    }
    expect(await shop.received()).toBe(PRICE * BigInt(PAYMENTS));
  });

  it('sign nothing while the database is gone, and settle afterwards', async () => {
    const [{ serviceUrl }] = replicas as [StackProcess];
    const payment = await shop.build();
    const before = await shop.received();
    toPostgres.cut();
    const refused = await ask(`${serviceUrl}/x402/settle`, payment.body);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(membersOf(refused)).toMatchObject({ code: 'SERVICE_BUSY' });
    expect(await shop.received()).toBe(before);
    toPostgres.restore();
    await settle(serviceUrl, payment);
    expect(payment.answers).toMatchObject([{ success: true }]);
  });

  it('finish the payments of one that is killed', async () => {
    const [victim, other] = replicas as [StackProcess, StackProcess];
    const before = await shop.received();
    const sent = await Promise.all(Array.from({ length: PAYMENTS }, () => shop.build()));
    const requests = sent.map((payment) => settle(victim.serviceUrl, payment).catch(() => undefined));
    const stateOf = async (id: string): Promise<string | undefined> => {
      const shown = await fetch(`${other.serviceUrl}/x402/payments/${id}`);
      return shown.ok ? ((await shown.json()) as { readonly state: string }).state : undefined;
    };
    const states = (): Promise<readonly (string | undefined)[]> =>
      Promise.all(sent.map(({ id }) => stateOf(id)));
    await waitFor(async () => (await states()).some((state) => state !== undefined));
    await kill(victim);
    await Promise.all(requests);
    const final = await waitFor(async () => {
      const seen = (await states()).filter((state) => state !== undefined);
      return seen.includes('pending') ? undefined : seen;
    });
    expect(new Set(final)).toEqual(new Set(['settled']));
    expect((await shop.received()) - before).toBe(PRICE * BigInt(final.length));
  });
});
