import { describe, expect, it } from 'vitest';
import type { Ledger } from '../parts/reader.ts';
import { createReaders } from './readers.ts';
import type { ReaderPorts } from './transport.ts';

interface Sent {
  readonly ledger: Ledger;
  readonly token: string | null;
  readonly methods: readonly string[];
}

/** A ledger that answers each call with what `answer` gives for it, and remembers what it was sent. */
function ledgers(
  answer: (method: string, token: string | null) => object | null = (method) => ({ result: method }),
) {
  const sent: Sent[] = [];
  const ports: ReaderPorts = {
    now: () => 0,
    post: async (ledger, body, token, signal) => {
      const calls = JSON.parse(body) as { readonly id: number; readonly method: string }[];
      sent.push({ ledger, token, methods: calls.map(({ method }) => method) });
      await Promise.resolve();
      signal.throwIfAborted();
      const answers = calls.flatMap(({ id, method }) => {
        const one = answer(method, token);
        return one === null ? [] : [{ jsonrpc: '2.0', id, ...one }];
      });
      return JSON.stringify(answers.toReversed());
    },
  };
  const tokens = new Map<string, string>();
  return { sent, tokens, readers: createReaders(ports, (wallet) => tokens.get(wallet) ?? null) };
}

const valueOf = (answer: { readonly kind: string; readonly value?: unknown }): unknown =>
  answer.kind === 'value' ? answer.value : answer.kind;

describe('a reader', () => {
  it('sends the calls of one turn as one batch, and gives each its own answer', async () => {
    const { readers, sent } = ledgers();
    const answers = await Promise.all(
      ['getSlot', 'getBlock', 'getFee'].map((method) => readers.base.call(method)),
    );
    expect(sent).toEqual([{ ledger: 'base', token: null, methods: ['getSlot', 'getBlock', 'getFee'] }]);
    expect(answers.map(valueOf)).toEqual(['getSlot', 'getBlock', 'getFee']);
    expect(answers.map(({ wire }) => wire.calls)).toEqual([3, 3, 3]);
  });

  it('caches answers until they are stale', async () => {
    const { readers, sent } = ledgers();
    await readers.base.call('getSlot', [1]);
    await readers.base.call('getSlot', [1]);
    expect(sent).toHaveLength(1);
    await readers.base.call('getSlot', [2]);
    await readers.base.fresh('getSlot', [1]);
    readers.stale('rollup');
    await readers.base.call('getSlot', [1]);
    expect(sent).toHaveLength(3);
    readers.stale('base');
    await readers.base.call('getSlot', [1]);
    expect(sent).toHaveLength(4);
  });

  it('without a token never gets the owner’s answers, and sends no token', async () => {
    const { readers, sent, tokens } = ledgers((_, token) => ({ result: token === null ? null : 'secret' }));
    tokens.set('Alice', 'token of Alice');
    const owner = await readers.owner('Alice')?.call('getAccountInfo', ['ata']);
    const anyone = await readers.anyone.call('getAccountInfo', ['ata']);
    const base = await readers.base.call('getAccountInfo', ['ata']);
    expect([owner, anyone, base].map((answer) => answer?.kind === 'value' && answer.value)).toEqual([
      'secret',
      null,
      null,
    ]);
    expect(sent.map(({ ledger, token }) => [ledger, token])).toEqual([
      ['rollup', 'token of Alice'],
      ['rollup', null],
      ['base', null],
    ]);
  });

  it('names the wallet whose token was sent, and never the token', async () => {
    const { readers, tokens } = ledgers();
    tokens.set('Alice', 'token of Alice');
    const answer = await readers.owner('Alice')?.call('getSlot');
    expect(answer?.wire.token).toBe('Alice');
    expect(JSON.stringify(answer)).not.toContain('token of Alice');
  });

  it('does not exist for a wallet that is not logged in', () => {
    expect(ledgers().readers.owner('Bob')).toBeNull();
  });

  it('cancels requests in progress when it forgets, so that no answer outlives the viewpoint', async () => {
    const { readers, tokens } = ledgers();
    tokens.set('Alice', 'token of Alice');
    const asked = readers.owner('Alice')?.call('getAccountInfo', ['ata']);
    await Promise.resolve();
    readers.forget();
    expect(await asked).toMatchObject({ kind: 'failed', code: null });
  });

  it('reports one failed or missing call of a batch and keeps the others', async () => {
    const { readers } = ledgers((method) =>
      method === 'a'
        ? { error: { code: -32_601, message: 'no such method' } }
        : method === 'b'
          ? null
          : { result: 1 },
    );
    const answers = await Promise.all(['a', 'b', 'c'].map((method) => readers.base.call(method)));
    expect(
      answers.map((answer) => (answer.kind === 'failed' ? [answer.code, answer.message] : answer.value)),
    ).toEqual([[-32_601, 'no such method'], [null, 'The ledger did not answer this call.'], 1]);
    expect(answers.map(({ wire }) => wire.answer)).toEqual(['error -32601', 'no answer', '1']);
  });

  it('does not cache failures', async () => {
    let isDown = true;
    const { readers, sent } = ledgers(() =>
      isDown ? { error: { code: -32_603, message: 'down' } } : { result: 'back' },
    );
    expect((await readers.base.call('getSlot')).kind).toBe('failed');
    isDown = false;
    expect(valueOf(await readers.base.call('getSlot'))).toBe('back');
    expect(valueOf(await readers.base.call('getSlot'))).toBe('back');
    expect(sent).toHaveLength(2);
  });

  it('caches the latest 500 answers, however many rows are scrolled through', async () => {
    const { readers, sent } = ledgers();
    for (let row = 0; row <= 500; row++) void readers.base.call('getTransaction', [row]);
    await new Promise(setImmediate);
    const before = sent.length;
    await readers.base.call('getTransaction', [1]);
    expect(sent).toHaveLength(before);
    await readers.base.call('getTransaction', [0]);
    expect(sent).toHaveLength(before + 1);
  });

  it('reports that the ledger does not answer if the response is not JSON', async () => {
    const ports: ReaderPorts = { now: () => 0, post: async () => '<html>' };
    const answer = await createReaders(ports, () => null).anyone.call('getSlot');
    expect(answer).toMatchObject({ kind: 'failed', message: 'The rollup does not respond.' });
  });
});
