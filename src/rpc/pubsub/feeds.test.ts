import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { startPubSubNode } from './testing/pubsub-node.ts';

describe('subscriptions of all connections', () => {
  it('remain for others if one client uses many connections (bug: no other client had any)', async () => {
    const addresses = ['greedy', 'greedy', 'quiet'];
    const node = await startPubSubNode({
      limits: { subscriptionsMax: 3 },
      findClient: () => addresses.shift() as string,
    });
    const [one, two, other] = [await node.connect(), await node.connect(), await node.connect()];
    await one.subscribe('slotSubscribe');
    await one.subscribe('rootSubscribe');
    await two.subscribe('slotSubscribe');
    expect(await two.call('rootSubscribe')).toMatch(/^"error":\{"code":-32603,/);
    await other.subscribe('slotSubscribe');
    expect(await other.call('rootSubscribe')).toMatch(/^"error":\{"code":-32603,/);
    expect(node.pubsub.subscriptions).toBe(4);
    await two.call('slotUnsubscribe', 0);
    expect(node.pubsub.subscriptions).toBe(3);
  });

  it('to programs also remain for others (bug: no other client had any)', async () => {
    const addresses = ['greedy', 'greedy', 'quiet', 'joining'];
    const node = await startPubSubNode({
      limits: { programFeedsMax: 3 },
      findClient: () => addresses.shift() as string,
    });
    const [one, two] = [await node.connect(), await node.connect()];
    const [other, joining] = [await node.connect(), await node.connect()];
    const filteredBy = (dataSize: number) =>
      ['programSubscribe', SYSTEM_PROGRAM, { filters: [{ dataSize }] }] as const;
    const id = await one.subscribe(...filteredBy(1));
    await one.subscribe(...filteredBy(2));
    await two.subscribe(...filteredBy(3));
    expect(await two.call(...filteredBy(4))).toMatch(/^"error":\{"code":-32603,/);
    const own = await other.subscribe(...filteredBy(4));
    expect(await joining.subscribe(...filteredBy(1))).toBe(id);
    // A feed that one subscriber opened continues for another, and counts until nobody is subscribed.
    await one.call('programUnsubscribe', id);
    await other.call('programUnsubscribe', own);
    expect(await two.call(...filteredBy(5))).toMatch(/^"error":\{"code":-32603,/);
    await joining.call('programUnsubscribe', id);
    await two.subscribe(...filteredBy(5));
  });
});
