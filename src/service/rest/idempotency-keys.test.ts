import { describe, expect, it } from 'vitest';
import type { Reply } from '../reply.ts';
import { digestUse, IdempotencyKeys, type Claim, type IdempotencyLimits } from './idempotency-keys.ts';

const SCOPE = ['deposit', 'token', 'key'];
const BODY = { amount: 1 };
const REPLY: Reply = { status: 200, body: '{"kind":"deposit"}', contentType: 'application/json' };

function keysWith(limits: Partial<IdempotencyLimits> = {}) {
  let now = 0;
  const table = new IdempotencyKeys({ now: () => now }, limits);
  const keys = { claim: (scope: string[], request: unknown) => table.claim(digestUse(scope, request)) };
  return { keys, pass: (ms: number) => (now += ms) };
}

function answer(claim: Claim, reply: Reply | undefined): void {
  if (claim.kind !== 'new') throw new Error(`the key is ${claim.kind}`);
  void claim.settle(reply);
}

describe('IdempotencyKeys', () => {
  it('answers the same request as the first time', () => {
    const { keys } = keysWith();
    answer(keys.claim(SCOPE, BODY), REPLY);
    expect(keys.claim(SCOPE, { amount: 1 })).toEqual({ kind: 'answered', reply: REPLY });
  });

  it('refuses the key for another request, also while the first is being served', () => {
    const { keys } = keysWith();
    const first = keys.claim(SCOPE, BODY);
    expect(keys.claim(SCOPE, { amount: 2 })).toEqual({ kind: 'reused' });
    expect(keys.claim(SCOPE, BODY)).toEqual({ kind: 'in-use' });
    answer(first, REPLY);
    expect(keys.claim(SCOPE, { amount: 2 })).toEqual({ kind: 'reused' });
  });

  it.each([
    ['operation', ['withdraw', 'token', 'key']],
    ['token', ['deposit', 'other', 'key']],
    ['key', ['deposit', 'token', 'other']],
  ])('knows nothing of another %s', (_name, scope) => {
    const { keys } = keysWith();
    answer(keys.claim(SCOPE, BODY), REPLY);
    expect(keys.claim(scope, BODY).kind).toBe('new');
  });

  it.each([
    ['4xx is kept', 409, 'answered'],
    ['5xx is not', 503, 'new'],
  ])('%s', (_name, status, kind) => {
    const { keys } = keysWith();
    answer(keys.claim(SCOPE, BODY), { ...REPLY, status });
    expect(keys.claim(SCOPE, BODY).kind).toBe(kind);
  });

  it('frees the key when there was no answer', () => {
    const { keys } = keysWith();
    answer(keys.claim(SCOPE, BODY), undefined);
    expect(keys.claim(SCOPE, { amount: 2 }).kind).toBe('new');
  });

  it('forgets after a day', () => {
    const { keys, pass } = keysWith();
    answer(keys.claim(SCOPE, BODY), REPLY);
    pass(24 * 60 * 60 * 1_000 - 1);
    expect(keys.claim(SCOPE, BODY).kind).toBe('answered');
    pass(1);
    expect(keys.claim(SCOPE, BODY).kind).toBe('new');
  });

  it.each<readonly [string, Partial<IdempotencyLimits>]>([
    ['answers', { answersMax: 2 }],
    ['bytes', { bytesMax: 2 * Buffer.byteLength(REPLY.body ?? '') }],
  ])('forgets the oldest when it has too many %s', (_name, limits) => {
    const { keys } = keysWith(limits);
    for (const key of ['a', 'b', 'c']) answer(keys.claim([key], BODY), REPLY);
    expect(['c', 'b', 'a'].map((key) => keys.claim([key], BODY).kind)).toEqual([
      'answered',
      'answered',
      'new',
    ]);
  });

  it('does not keep an answer that is over the limit alone', () => {
    const { keys } = keysWith({ bytesMax: 5 });
    answer(keys.claim(SCOPE, BODY), REPLY);
    expect(keys.claim(SCOPE, BODY).kind).toBe('new');
  });
});
