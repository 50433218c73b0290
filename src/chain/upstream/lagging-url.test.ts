import { beforeEach, describe, expect, it } from 'vitest';
import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { type Outcome, ScriptedTransport, type SentCall } from '../testing/scripted-transport.ts';
import { upstreamPorts } from '../testing/upstream-ports.ts';
import { MEMORY_MS } from './slot-floor.ts';
import { RpcLedgerClient } from './rpc-ledger-client.ts';
import { CATCH_UP_MS_MAX, REST_MS } from './upstream-fault.ts';

const OWNER: Address = addressOf(new Uint8Array(32).fill(1));
const SIGNATURE = encodeBase58(new Uint8Array(64).fill(9));
const SLOT_MS = 300;

/** The slot each URL is at; null for one that is down. */
type Slots = Record<string, number | null>;

/** A node whose reads by URL are public. */
class TellingNode extends RpcLedgerClient {
  override readAccountBy(address: Address, notBy?: number) {
    return super.readAccountBy(address, notBy);
  }
}

/** A ledger at URLs that are at different slots. `isHonest` is whether they know `minContextSlot`. */
function open(slots: Slots, isHonest = true) {
  const transport = new ScriptedTransport(({ url }, call): Outcome => {
    const slot = slots[url.hostname] ?? null;
    if (slot === null) return { fault: 'unreachable' };
    const { minContextSlot = 0 } = configOf(call);
    if (!isHonest || slot >= minContextSlot) return { result: resultOf(call, slot) };
    const error = { code: -32_016, message: 'behind', data: { contextSlot: slot } };
    return { body: JSON.stringify({ jsonrpc: '2.0', id: call.id, error }) };
  });
  const ports = upstreamPorts(transport);
  const urls = Object.keys(slots).map((host) => new URL(`https://${host}/`));
  return {
    node: new RpcLedgerClient('the ledger', urls, 'nowhere', ports),
    transport,
    time: ports.time,
    slots,
  };
}

/** The status of the transaction at each node. */
let status: { slot: number; err: null; confirmationStatus: string } | null = null;
beforeEach(() => {
  status = null;
});

const configOf = ({ params }: SentCall): { commitment?: string; minContextSlot?: number } =>
  (params.at(-1) ?? {}) as object;

/** The answer of a node at a slot. Its lamports equal the slot, which identifies the node. */
function resultOf({ method }: SentCall, slot: number): unknown {
  const account = { lamports: slot, owner: OWNER, data: ['', 'base64'], executable: false, rentEpoch: 0 };
  const values: Record<string, unknown> = {
    getMultipleAccounts: [account],
    getLatestBlockhash: { blockhash: OWNER, lastValidBlockHeight: 150 },
    isBlockhashValid: true,
    simulateTransaction: { err: null, logs: [], accounts: null },
    getSignatureStatuses: [status],
  };
  if (method === 'getBlockHeight') return slot;
  return method === 'sendTransaction' ? SIGNATURE : { context: { slot }, value: values[method] };
}

const balance = async ({ node }: Pick<ReturnType<typeof open>, 'node'>): Promise<bigint | undefined> =>
  (await node.getAccounts([OWNER]))[0]?.lamports;

/** The error after all pauses. */
async function faultOf({ time }: ReturnType<typeof open>, asked: Promise<unknown>): Promise<ServiceError> {
  const fault = asked.then(
    () => new Error('it was answered'),
    (error: unknown) => error,
  );
  await time.pass(CATCH_UP_MS_MAX);
  const error = await fault;
  if (isServiceError(error)) return error;
  throw error;
}

describe.each([
  ['reports it', true],
  ['does not know minContextSlot', false],
])('a URL that is behind and %s', (_, isHonest) => {
  it('returns no balance from before a landed transaction (bug: the transaction seemed to have moved nothing)', async () => {
    const ledger = open({ 'a.example': 100, 'b.example': 99 }, isHonest);
    await balance(ledger);
    status = { slot: 105, err: null, confirmationStatus: 'confirmed' };
    expect(await ledger.node.signatureStatus(SIGNATURE)).toMatchObject({ slot: 105 });
    Object.assign(ledger.slots, { 'a.example': null, 'b.example': 104 });
    expect((await faultOf(ledger, balance(ledger))).code).toBe('UPSTREAM_UNAVAILABLE');
    ledger.slots['b.example'] = 105;
    expect(await balance(ledger)).toBe(105n);
  });

  it('returns no balance from 900,000 slots ago when it takes over', async () => {
    const ledger = open({ 'a.example': 1_000_000, 'b.example': 100_000 }, isHonest);
    expect(await balance(ledger)).toBe(1_000_000n);
    ledger.slots['a.example'] = null;
    const faults = [
      await faultOf(ledger, balance(ledger)),
      await faultOf(ledger, ledger.node.signatureStatus(SIGNATURE)),
    ];
    expect(faults.map(({ code }) => code)).toEqual(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE']);
  });

  it('causes an error with its distance if there is no other URL', async () => {
    const ledger = open({ 'a.example': 1_000_000 }, isHonest);
    await balance(ledger);
    ledger.slots['a.example'] = 100_000;
    expect(await faultOf(ledger, balance(ledger))).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'the ledger is 900000 slots behind its earlier answers; try again',
      context: { slotsBehind: 900_000 },
    });
    expect(ledger.transport.requests).toHaveLength(2);
  });

  it('is skipped in favor of one that is not', async () => {
    const ledger = open({ 'a.example': 1_000, 'b.example': 10, 'c.example': 1_001 }, isHonest);
    await balance(ledger);
    ledger.slots['a.example'] = null;
    expect(await balance(ledger)).toBe(1_001n);
    expect(await balance(ledger)).toBe(1_001n);
    expect(ledger.transport.hosts).toEqual(['a.example', 'a.example', 'b.example', 'c.example', 'c.example']);
  });

  it('is waited for if it lags no more than healthy nodes do', async () => {
    const ledger = open({ 'a.example': 1_000, 'b.example': 998 }, isHonest);
    await balance(ledger);
    ledger.slots['a.example'] = null;
    const asked = balance(ledger);
    await ledger.time.pass(2 * SLOT_MS);
    ledger.slots['b.example'] = 1_000;
    await ledger.time.pass(2 * SLOT_MS);
    expect(await asked).toBe(1_000n);
  });

  it('is retried halfway, because another node may answer there', async () => {
    const ledger = open({ 'a.example': 1_000 }, isHonest);
    await balance(ledger);
    ledger.slots['a.example'] = 999;
    const asked = balance(ledger);
    await ledger.time.pass(SLOT_MS - 1);
    ledger.slots['a.example'] = 1_001;
    await ledger.time.pass(1);
    expect(await asked).toBe(1_001n);
  });

  it('is not waited for any longer, and fails if it has not caught up', async () => {
    const ledger = open({ 'a.example': 1_000 }, isHonest);
    await balance(ledger);
    ledger.slots['a.example'] = 999;
    expect(await faultOf(ledger, balance(ledger))).toMatchObject({ context: { slotsBehind: 1 } });
    expect(ledger.transport.requests).toHaveLength(4);
  });

  it('is accepted again after a reset of the ledger, once the old slots are forgotten', async () => {
    const ledger = open({ 'a.example': 1_000_000 }, isHonest);
    await balance(ledger);
    ledger.slots['a.example'] = 7;
    await ledger.time.pass(MEMORY_MS - CATCH_UP_MS_MAX);
    expect(await faultOf(ledger, balance(ledger))).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    await ledger.time.pass(1);
    expect(await balance(ledger)).toBe(7n);
    ledger.slots['a.example'] = 6;
    expect(await faultOf(ledger, balance(ledger))).toMatchObject({ context: { slotsBehind: 1 } });
  });
});

describe('a slot of an answer', () => {
  it('is the minimum of every later request that supports one', async () => {
    const { node, transport } = open({ 'a.example': 50 });
    await node.getAccounts([OWNER]);
    await node.getAccounts([OWNER]);
    await node.latestBlockhash();
    await node.blockHeight();
    await node.isBlockhashValid(OWNER);
    await node.simulateTransaction(Uint8Array.of(1), []);
    await node.signatureStatus(SIGNATURE);
    await node.sendTransaction(Uint8Array.of(1));
    node.close();
    const asked = transport.calls.map((call) => [call.method, configOf(call).minContextSlot]);
    expect(asked).toEqual([
      ['getMultipleAccounts', undefined],
      ['getMultipleAccounts', 50],
      ['getLatestBlockhash', 50],
      ['getBlockHeight', 50],
      ['isBlockhashValid', 50],
      ['simulateTransaction', 50],
      ['getSignatureStatuses', undefined],
      ['sendTransaction', undefined],
    ]);
  });

  it('at processed sets no minimum at confirmed, which lags behind', async () => {
    const ledger = open({ 'a.example': 52 }, false);
    await ledger.node.isBlockhashValid(OWNER);
    ledger.slots['a.example'] = 50;
    expect(await balance(ledger)).toBe(50n);
  });

  it('sets no minimum for requests that were already in flight', async () => {
    const slots = [50, 49];
    const answers: (() => void)[] = [];
    const transport = new ScriptedTransport(async (_, call) => {
      const slot = slots.shift() as number;
      await new Promise<void>((resolve) => answers.push(resolve));
      return { result: resultOf(call, slot) };
    });
    const urls = [new URL('https://a.example/')];
    const node = new RpcLedgerClient('the ledger', urls, 'nowhere', upstreamPorts(transport));
    // Requests of one turn would share a call.
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const first = balance({ node });
    await turn();
    const second = balance({ node });
    await turn();
    for (const answer of answers) answer();
    expect(await Promise.all([first, second])).toEqual([50n, 49n]);
  });

  it('is ignored if no ledger can have reached it', async () => {
    const ledger = open({ 'a.example': 1_000, 'b.example': 900_000_000_000_000 }, false);
    expect(await balance(ledger)).toBe(1_000n);
    ledger.slots['a.example'] = null;
    await balance(ledger);
    ledger.slots['a.example'] = 1_025;
    await ledger.time.pass(REST_MS);
    expect(await balance(ledger)).toBe(1_025n);
  });

  it('after a jump of the ledger counts once the old slots are forgotten', async () => {
    const ledger = open({ 'a.example': 1_000 }, false);
    await balance(ledger);
    ledger.slots['a.example'] = 900_000;
    expect(await balance(ledger)).toBe(900_000n);
    await ledger.time.pass(MEMORY_MS + 1);
    await balance(ledger);
    ledger.slots['a.example'] = 1_000;
    expect(await faultOf(ledger, balance(ledger))).toMatchObject({ context: { slotsBehind: 899_000 } });
  });

  it('makes a URL that is behind rest, so that not every read tries it', async () => {
    const ledger = open({ 'a.example': 1_000, 'b.example': 1_002 });
    ledger.slots['a.example'] = null;
    await balance(ledger);
    ledger.slots['a.example'] = 1_000;
    await ledger.time.pass(REST_MS);
    for (let asked = 0; asked < 3; asked++) expect(await balance(ledger)).toBe(1_002n);
    expect(ledger.transport.hosts.slice(2)).toEqual(['a.example', 'b.example', 'b.example', 'b.example']);
  });

  it('from a URL that is ahead of every request does not exclude the first URL', async () => {
    const honest = 'a.example';
    let slot = 300_000_000;
    let lie = slot;
    const transport = new ScriptedTransport(({ url }, call): Outcome => {
      const { minContextSlot = 0 } = configOf(call);
      if (url.hostname !== honest) {
        lie = Math.max(lie, minContextSlot) + 150;
        return { result: resultOf(call, lie) };
      }
      if (slot >= minContextSlot) return { result: resultOf(call, slot) };
      const error = { code: -32_016, message: 'behind', data: { contextSlot: slot } };
      return { body: JSON.stringify({ jsonrpc: '2.0', id: call.id, error }) };
    });
    const ports = upstreamPorts(transport);
    const urls = [honest, 'liar.example'].map((host) => new URL(`https://${host}/`));
    const node = new TellingNode('the ledger', urls, 'nowhere', ports);
    await balance({ node });
    for (let asked = 0; asked < 5; asked++) await node.readAccountBy(OWNER, 0);
    const told: boolean[] = [];
    for (let second = 0; second < 120; second++) {
      await ports.time.pass(1_000);
      slot += second % 2 === 0 ? 2 : 3;
      told.push((await balance({ node })) === BigInt(slot));
    }
    const lastLie = told.lastIndexOf(false);
    expect((lastLie + 1) * 1_000).toBeLessThan(MEMORY_MS + 2 * REST_MS);
  });
});
