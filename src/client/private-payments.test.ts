import { describe, expect, it } from 'vitest';
import { EXAMPLE_ANSWERS } from './testing/example-answers.ts';
import { createPrivatePayments } from './index.ts';
import { ROUTES } from './generated.ts';
import { PaymentsError } from './payments-error.ts';
import { playService, problem, type Scripted } from './testing/scripted-service.ts';

const OWNER = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const deposit = { owner: OWNER, amount: 18_446_744_073_709_551_615n };
const balance = { address: OWNER, mint: MINT };

const explained = EXAMPLE_ANSWERS['explainTransaction'] as { readonly effects: object };

/** The answer to an operation, but for these members. */
const answerTo = (operation: string, changed: object = {}): Scripted => ({
  status: 200,
  body: { ...EXAMPLE_ANSWERS[operation], ...changed },
});

const BUILT = answerTo('deposit');
const BALANCE = answerTo('getBalance', { balance: '18446744073709551615' });

/** The error a call ends with. */
async function errorOf(running: Promise<unknown>): Promise<PaymentsError> {
  try {
    await running;
  } catch (error) {
    if (error instanceof PaymentsError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

describe('a client', () => {
  it('writes a bigint as a decimal string and reads decimal strings as bigints, over the whole range of u64', async () => {
    const { client, requests } = playService([BUILT, BALANCE]);
    await client.deposit(deposit);
    expect(requests[0]?.body).toBe(`{"owner":"${OWNER}","amount":"18446744073709551615"}`);
    expect((await client.getBalance(balance)).balance).toBe(18_446_744_073_709_551_615n);
    expect(requests[1]).toMatchObject({
      method: 'GET',
      url: `http://service.test/v1/spl/balance?address=${OWNER}&mint=${MINT}`,
    });
  });

  it('writes bigints inside a request to explain', async () => {
    const { client, requests } = playService([answerTo('explainTransaction')]);
    await client.explainTransaction({
      transactionBase64: 'AA==',
      request: { operation: 'deposit', arguments: { amount: 5n } },
    });
    expect(requests[0]?.body).toContain('"arguments":{"amount":"5"}');
  });

  it('omits undefined members', async () => {
    const { client, requests } = playService([BALANCE]);
    await client.getBalance({ ...balance, cluster: undefined });
    expect(requests[0]?.url).not.toContain('cluster');
  });

  it('rejects a balance that is not a decimal string (bug: null became zero)', async () => {
    for (const wrong of [5, '5.0', '', '0x5', '1e3', ' 5', {}, [], true, null, undefined]) {
      const { client } = playService([answerTo('getBalance', { balance: wrong })]);
      expect((await errorOf(client.getBalance(balance))).code).toBe('ANSWER_UNUSABLE');
    }
  });

  it.each([
    ['a list', { effects: { ...explained.effects, lamports: null } }],
    ['a list member', { effects: { ...explained.effects, lamports: [{ address: OWNER }] } }],
    ['an object', { effects: undefined }],
    ['an optional object that is null', { wallet: null }],
    ['the decimals of an optional object', { wallet: { address: OWNER, signs: true, tokens: [] } }],
  ])('fails if required decimals are missing: %s', async (_, changed) => {
    const { client } = playService([answerTo('explainTransaction', changed)]);
    const error = await errorOf(client.explainTransaction({ transactionBase64: 'AA==' }));
    expect(error.code).toBe('ANSWER_UNUSABLE');
  });

  it('keeps members that may be absent or null unchanged', async () => {
    const effects = { ...explained.effects, networkFeeLamportsMax: null };
    const { client } = playService([answerTo('explainTransaction', { effects, wallet: undefined })]);
    const answer = await client.explainTransaction({ transactionBase64: 'AA==' });
    expect([answer.effects.networkFeeLamportsMax, answer.wallet]).toEqual([null, undefined]);
  });

  it.each(Object.keys(ROUTES))('rejects a response to %s without a required member', async (name) => {
    const { required } = ROUTES[name as keyof typeof ROUTES];
    const whole = Object.fromEntries(required.map((member) => [member, 'there']));
    for (const missing of required) {
      for (const nothing of [undefined, null]) {
        const { client } = playService([{ status: 200, body: { ...whole, [missing]: nothing } }]);
        const call = client[name as 'challenge'];
        expect(await errorOf(call({ pubkey: OWNER }))).toMatchObject({
          code: 'ANSWER_UNUSABLE',
          status: 200,
          message: expect.stringContaining(` is missing ${missing}, `),
        });
      }
    }
  });

  it.each(['line\nfeed', 'a b', ''])(
    'rejects a token that is not a valid header, without quoting it: %j',
    async (token) => {
      const { client, requests } = playService([BALANCE], { token });
      const error = await client.getPrivateBalance(balance).catch((refused: unknown) => refused);
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toBe('TypeError: token must consist of visible ASCII characters');
      expect(requests).toEqual([]);
    },
  );

  it('sends its token only with operations that use one, and prefers the token of the call', async () => {
    const { client, requests } = playService([BUILT, BALANCE, BALANCE], { token: 'mine' });
    await client.deposit(deposit);
    await client.getPrivateBalance(balance);
    await client.getPrivateBalance(balance, { token: 'other' });
    expect(requests.map(({ headers }) => headers['authorization'])).toEqual([
      undefined,
      'Bearer mine',
      'Bearer other',
    ]);
  });

  it('sends its API key with every operation, and its token in a header of its own then', async () => {
    const { client, requests } = playService([BUILT, BALANCE], { apiKey: 'spp_key', token: 'mine' });
    await client.deposit(deposit);
    await client.getPrivateBalance(balance);
    expect(
      requests.map(({ headers }) => [headers['authorization'], headers['rollup-authorization']]),
    ).toEqual([
      ['Bearer spp_key', undefined],
      ['Bearer spp_key', 'Bearer mine'],
    ]);
  });

  it('does not follow redirects, and says what to do', async () => {
    const { client, requests } = playService([
      { status: 307, body: '', headers: { location: 'https://a.test' } },
    ]);
    const error = await errorOf(client.deposit(deposit));
    expect(requests[0]?.redirect).toBe('manual');
    expect(error).toMatchObject({ code: 'ANSWER_UNUSABLE', status: 307 });
    expect(error.message).toContain('set url to its target');
  });

  it('keeps the path of the service URL', async () => {
    const { client, requests } = playService([BUILT], { url: 'https://service.test/payments/' });
    await client.deposit(deposit);
    expect(requests[0]?.url).toBe('https://service.test/payments/v1/spl/deposit');
  });

  it.each([
    { url: 'ftp://a.test' },
    { url: 'service' },
    { url: 'http://user:word@a.test' },
    { url: 'http://a.test/?key=1' },
    { url: 'http://a.test', maxRetries: 11 },
    { url: 'http://a.test', timeoutMs: 0.5 },
  ])('rejects %j at once', (options) => {
    expect(() => createPrivatePayments(options)).toThrow(TypeError);
  });
});

describe('an error', () => {
  it('has code, status, request id, details and fields of the problem', async () => {
    const details = { field: 'amount', needed: '5' };
    const errors = [{ pointer: '#/amount', message: 'too much' }];
    const { client } = playService([problem(400, 'EATA_BALANCE_TOO_LOW', { error: { details }, errors })]);
    expect(await errorOf(client.deposit(deposit))).toMatchObject({
      name: 'PaymentsError',
      code: 'EATA_BALANCE_TOO_LOW',
      serviceCode: 'EATA_BALANCE_TOO_LOW',
      message: 'it is EATA_BALANCE_TOO_LOW',
      status: 400,
      requestId: 'r-1',
      details,
      fields: errors,
      idempotencyKey: 'key-1',
    });
  });

  it('has UNKNOWN_CODE and serviceCode for an unknown code', async () => {
    const { client } = playService([problem(400, 'NEWLY_INVENTED')]);
    expect(await errorOf(client.deposit(deposit))).toMatchObject({
      code: 'UNKNOWN_CODE',
      serviceCode: 'NEWLY_INVENTED',
    });
  });

  it.each(['<html>secret</html>', '[]', 'null', '{}', '{"code":1,"detail":"x"}'])(
    'repeats nothing from a response that is not the service’s: %s',
    async (body) => {
      const { client } = playService([{ status: 502, body }]);
      const error = await errorOf(client.deposit(deposit));
      expect(error).toMatchObject({ code: 'ANSWER_UNUSABLE', status: 502 });
      expect(error.message).not.toContain('secret');
    },
  );
});

describe('a retry', () => {
  it.each([
    ['429', problem(429, 'RATE_LIMITED')],
    ['an overloaded service', problem(503, 'SERVICE_BUSY')],
    ['a key that is still in progress', problem(409, 'IDEMPOTENCY_KEY_IN_USE')],
    ['a lost connection', 'lost'],
    ['a proxy without a service behind it', { status: 503, body: 'no upstream' }],
  ] as const)('is made after %s, with the same key', async (_, first) => {
    const { client, requests } = playService([first, first, BUILT]);
    await client.deposit(deposit);
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-1', 'key-1']);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  });

  it('sends a new key with each call, or the caller’s', async () => {
    const { client, requests } = playService([BUILT, BUILT, BUILT]);
    await client.deposit(deposit);
    await client.deposit(deposit);
    await client.deposit(deposit, { idempotencyKey: 'again' });
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-2', 'again']);
  });

  it.each([
    problem(409, 'EATA_ALREADY_DELEGATED'),
    problem(503, 'SPONSOR_UNAVAILABLE'),
    problem(504, 'UPSTREAM_TIMEOUT'),
    problem(500, 'INTERNAL_ERROR'),
    problem(400, 'INVALID_AMOUNT'),
    { status: 502, body: 'bad gateway' },
  ])('is not made after %j', async (answer) => {
    const { client, requests } = playService([answer]);
    await errorOf(client.deposit(deposit));
    expect(requests).toHaveLength(1);
  });

  it('is not made for a lost login, which has no key', async () => {
    const login = { pubkey: OWNER, challenge: 'x', signature: 'y' };
    const lost = playService(['lost']);
    expect((await errorOf(lost.client.login(login))).code).toBe('NETWORK');
    expect(lost.requests[0]?.headers['idempotency-key']).toBeUndefined();
    const busy = playService([problem(503, 'SERVICE_BUSY'), { status: 200, body: { token: 't' } }]);
    expect((await busy.client.login(login)).token).toBe('t');
  });

  it('waits for Retry-After, or longer each time without it', async () => {
    const limited = problem(429, 'RATE_LIMITED') as Exclude<Scripted, string>;
    const asked = { ...limited, headers: { 'retry-after': '7' } };
    const { client, pauses } = playService([asked, limited, limited, BUILT]);
    await client.deposit(deposit);
    expect(pauses).toEqual([7_125, 375, 750]);
  });

  it('does not wait longer than 30 s: the error contains the time', async () => {
    const limited = problem(429, 'RATE_LIMITED') as Exclude<Scripted, string>;
    const { client, pauses } = playService([{ ...limited, headers: { 'retry-after': '31' } }]);
    expect((await errorOf(client.deposit(deposit))).retryAfterMs).toBe(31_000);
    expect(pauses).toEqual([]);
  });

  it('continues while the same key is in progress until the time limit, whatever the number of retries', async () => {
    const inUse = problem(409, 'IDEMPOTENCY_KEY_IN_USE');
    const { client, requests } = playService(['lost', ...Array<Scripted>(30).fill(inUse), BUILT], {
      maxRetries: 2,
    });
    await client.deposit(deposit);
    expect(requests).toHaveLength(32);
    const never = playService(Array<Scripted>(500).fill(inUse));
    const running = errorOf(never.client.deposit(deposit));
    never.expire();
    expect(await running).toMatchObject({ code: 'TIMEOUT', idempotencyKey: 'key-1' });
  });

  it('stops after maxRetries with the last error', async () => {
    const { client, requests } = playService(['lost', 'lost', problem(503, 'SERVICE_BUSY')], {
      maxRetries: 2,
    });
    expect((await errorOf(client.deposit(deposit))).code).toBe('SERVICE_BUSY');
    expect(requests).toHaveLength(3);
  });
});

describe('the end of a call', () => {
  it('is the caller’s abort, with its reason', async () => {
    const controller = new AbortController();
    const { client } = playService(['silence']);
    const running = client.deposit(deposit, { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(running).rejects.toThrow('changed my mind');
  });

  it('may be an abort before the call: nothing is sent', async () => {
    const { client, requests } = playService([]);
    await expect(client.deposit(deposit, { signal: AbortSignal.abort(new Error('never')) })).rejects.toThrow(
      'never',
    );
    expect(requests).toEqual([]);
  });

  it('is TIMEOUT when the time is up, with the key to repeat the call', async () => {
    const { client, expire } = playService(['silence']);
    const running = errorOf(client.deposit(deposit));
    expire();
    expect(await running).toMatchObject({ code: 'TIMEOUT', idempotencyKey: 'key-1', status: 0 });
  });
});

describe('an endless answer', () => {
  const chunk = new Uint8Array(1024 * 1024);

  it('is read only up to the length that a service returns', async () => {
    let pulled = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(chunk);
        if (pulled === 100) controller.close();
      },
    });
    const client = createPrivatePayments({
      url: 'http://service.test',
      fetch: async () => new Response(body),
    });
    expect((await errorOf(client.deposit(deposit))).code).toBe('ANSWER_UNUSABLE');
    expect(pulled).toBeLessThan(10);
  });

  it.each([
    ['a fetch', () => new Promise<never>(() => undefined)],
    ['a body', () => Promise.resolve(new Response(new ReadableStream({})))],
  ])('ends when the call times out, if %s ignores its signal', async (_, fetch) => {
    const client = createPrivatePayments({ url: 'http://service.test', fetch, timeoutMs: 20 });
    expect((await errorOf(client.deposit(deposit))).code).toBe('TIMEOUT');
  });
});

describe('the routes', () => {
  it('use a key for everything that is built or sent, and nothing else', () => {
    const unkeyed = Object.entries(ROUTES).filter(([, { isKeyed }]) => !isKeyed);
    expect(unkeyed.map(([name]) => name)).toEqual([
      'getBalance',
      'getPrivateBalance',
      'swapQuote',
      'isMintInitialized',
      'getStealthPool',
      'explainTransaction',
      'challenge',
      'login',
    ]);
    expect(ROUTES.login.isRead).toBe(false);
  });
});
