import { expect, it } from 'vitest';
import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import { addressOf } from '../../solana/address.ts';
import { type Outcome, ScriptedTransport } from '../testing/scripted-transport.ts';
import { upstreamPorts } from '../testing/upstream-ports.ts';
import { RpcLedgerClient } from './rpc-ledger-client.ts';
import { CATCH_UP_MS_MAX } from './upstream-fault.ts';

const BLOCKHASH = addressOf(new Uint8Array(32).fill(1));
const SLOT_MS = 300;

/** A ledger whose URLs are at these slots. */
function open(slots: Record<string, number>) {
  const transport = new ScriptedTransport(({ url }): Outcome => {
    const value = { blockhash: BLOCKHASH, lastValidBlockHeight: 150 };
    return { result: { context: { slot: slots[url.hostname] }, value } };
  });
  const ports = upstreamPorts(transport);
  const urls = Object.keys(slots).map((host) => new URL(`https://${host}/`));
  return { node: new RpcLedgerClient('the ledger', urls, 'nowhere', ports), transport, ports, slots };
}

const outcomeOf = (asked: Promise<void>): Promise<ServiceError | 'reached'> =>
  asked.then(
    () => 'reached' as const,
    (error: unknown) => {
      if (isServiceError(error)) return error;
      throw error;
    },
  );

it('reads nothing if an answer has reached the slot', async () => {
  const { node, transport } = open({ a: 100 });
  await node.latestBlockhash();
  expect(node.newestSlot).toBe(100);
  await node.reachSlot(100);
  expect(transport.requests).toHaveLength(1);
});

it('reads from another URL if one is behind', async () => {
  const { node, transport } = open({ a: 100, b: 500 });
  expect(await outcomeOf(node.reachSlot(400))).toBe('reached');
  expect(transport.hosts).toEqual(['a', 'b']);
});

it('waits for the ledger if it is slightly behind', async () => {
  const { node, transport, ports, slots } = open({ a: 100 });
  const outcome = outcomeOf(node.reachSlot(104));
  await ports.time.pass(4 * SLOT_MS);
  slots['a'] = 104;
  expect(transport.requests).toHaveLength(1);
  await ports.time.pass(SLOT_MS);
  expect(await outcome).toBe('reached');
  expect(transport.requests).toHaveLength(2);
});

it.each([104, 100_000, 999_999_999_999_999])(
  'fails within the usual wait, and reads each URL at most twice, if slot %i is not reached',
  async (slot) => {
    const { node, transport, ports } = open({ a: 100, b: 100 });
    const outcome = outcomeOf(node.reachSlot(slot));
    await ports.time.pass(CATCH_UP_MS_MAX);
    expect(await outcome).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      context: { slotsBehind: slot - 100 },
    });
    expect(transport.requests.length).toBeLessThanOrEqual(3);
    // The URLs are not to blame, and the next request starts with the first one.
    await node.latestBlockhash();
    expect(transport.hosts.at(-1)).toBe('a');
    expect(node.newestSlot).toBe(100);
  },
);
