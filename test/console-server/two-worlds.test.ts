import { describe, expect, it } from 'vitest';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import type { LocalnetOptions } from '../../src/localnet/localnet.ts';
import { Life } from './life.ts';
import { payByAssistant, payByCli, payByPage, payByProgram } from './private-payment.ts';

/** Everything the console shows on this machine, except the time and memory of the process. */
async function toldBy(life: Life, closed: () => Promise<string>): Promise<Record<string, unknown>> {
  const { uptimeMs, memoryBytes, base, rollup, ...state } =
    await life.read<Record<string, unknown>>('/console/api/state');
  expect([uptimeMs, memoryBytes]).toEqual([expect.any(Number), expect.any(Number)]);
  const withoutUrl = (shown: unknown): object => ({ ...(shown as object), url: 'its own' });
  const requests = await life.read<{ entries: { ms: number; atMs: number }[] }>('/console/api/requests');
  return {
    state: { ...state, base: withoutUrl(base), rollup: withoutUrl(rollup) },
    books: await life.read('/console/api/books'),
    // How long each took is the machine's doing.
    requests: { ...requests, entries: requests.entries.map((entry) => ({ ...entry, ms: 0 })) },
    events: await closed(),
  };
}

/** Collects the events of a console until its localnet closes. */
async function listen(life: Life): Promise<() => Promise<string>> {
  const response = await fetch(`${life.localnet.urls.service}/console/api/events`);
  const text = response.text();
  return async () => {
    await life.localnet.close();
    return (await text).replaceAll(/"ms":[\d.]+/g, '"ms":0');
  };
}

/**
 * A world with a stopped clock and one seed for all random values: two wallets that have deposited, and the
 * actions that follow.
 */
async function worldWith(
  options: LocalnetOptions,
  happens: (life: Life) => Promise<unknown>,
): Promise<Record<string, unknown>> {
  const life = await Life.start({ seed: 'two worlds', clock: { startsAtMs: 1_790_000_000_000 }, ...options });
  const closed = await listen(life);
  await life.deposit(life.alice, 3_500_000n);
  await life.deposit(life.bob, 1_000_000n);
  await happens(life);
  await life.localnet.settled();
  return await toldBy(life, closed);
}

const WAYS = [
  ['a program', payByProgram],
  ['an assistant', payByAssistant],
  ['the page', payByPage],
  ['the command line', payByCli],
] as const;

describe.each([
  ['A', {}, true],
  [`B (it needs ${NO_LAYOUT_B})`, { programs: LAYOUT_B_FOLDER as string }, LAYOUT_B_FOLDER !== null],
] as const)('a private payment on layout %s', (_layout, options, isThere) => {
  let without: Record<string, unknown> | undefined;

  it.skipIf(!isThere).each(WAYS)(
    'changes nothing that the console reports when %s pays',
    async (_who, pay) => {
      without ??= await worldWith(options, async () => {});
      const withIt = await worldWith(options, pay);
      expect(withIt).toEqual(without);
      const { requests, events } = withIt as { requests: { entries: unknown[] }; events: string };
      expect(JSON.stringify(requests)).toContain('spl.deposit');
      expect(events.match(/^event: request$/gm)).toHaveLength(requests.entries.length);
    },
  );
});

it.each(WAYS)(
  'a payment by %s would be visible if the operator enabled arguments in the list of requests',
  async (_who, pay) => {
    const settings = { CONSOLE_LOG_ARGUMENTS: 'on' };
    const { requests } = await worldWith({ settings }, pay);
    expect(JSON.stringify(requests)).toMatch(/spl\.transfer|"door":"rollup","call":"sendTransaction"/);
  },
);
