import { expect, it, vi } from 'vitest';
import { ask, payPrivately } from '../../src/localnet/testing/call-localnet.ts';
import { Life } from './life.ts';
import { PATIENCE } from '../../src/ports/testing/patience.ts';

/** The events that a client of the feed receives from now on. */
async function listenTo(
  service: string,
): Promise<{ events(): { kind: string; data: Record<string, unknown> }[] }> {
  const response = await fetch(`${service}/console/api/events`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  const decoder = new TextDecoder();
  void (async () => {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>)
      text += decoder.decode(chunk, { stream: true });
  })().catch(() => {});
  return {
    events: () =>
      [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, kind = '', data = '']) => ({
        kind,
        data: JSON.parse(data) as Record<string, unknown>,
      })),
  };
}

it('sends requests and the settlements that base shows, but no payment on the rollup', async () => {
  const life = await Life.start();
  const { localnet, alice, bob } = life;
  const { service } = localnet.urls;
  await life.deposit(alice, 3_500_000n);
  await life.deposit(bob, 1_000_000n);
  const { events } = await listenTo(service);
  const kinds = (): string[] => events().map(({ kind }) => kind);
  await vi.waitFor(() => expect(kinds()).toEqual(['hello']), PATIENCE);

  await payPrivately(localnet, alice, bob, 1_250_000n);
  await localnet.settled();
  await ask(localnet.urls.base, 'requestAirdrop', alice.address, 1_000_000_000);
  await vi.waitFor(() => expect(kinds()).toEqual(['hello', 'request']), PATIENCE);
  expect(events()[1]?.data).toMatchObject({ seq: expect.any(Number), call: 'requestAirdrop', status: 200 });
  expect(JSON.stringify(events())).not.toContain(alice.address);

  await life.undelegate(alice);
  await vi.waitFor(() => expect(kinds()).toContain('settlement'), PATIENCE);
  expect(events().find(({ kind }) => kind === 'settlement')?.data).toEqual({
    mint: localnet.mint,
    signature: expect.any(String),
    slot: expect.any(Number),
    state: expect.stringMatching(/^(committed|settled)$/),
  });
  expect(events().some(({ kind, data }) => kind === 'settlement' && data['state'] === 'settled')).toBe(true);
});

it('closes its streams when the program stops, without delaying it', async () => {
  const life = await Life.start();
  const response = await fetch(`${life.localnet.urls.service}/console/api/events`);
  const ended = response.text();
  await life.localnet.close();
  // A stream that is cut off when the drain of its port is over would be an error.
  expect(await ended).toContain('event: hello');
});
