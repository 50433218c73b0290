import { describe, expect, it } from 'vitest';
import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Outcome, ScriptedTransport } from '../testing/scripted-transport.ts';
import { upstreamPorts } from '../testing/upstream-ports.ts';
import { RESERVE_MAX } from './retry-budget.ts';
import { faultOfStatus, REST_MS } from './upstream-fault.ts';
import { HEDGE_MS, PROBE_TIMEOUT_MS, TIMEOUT_MS, Upstream, type UpstreamCall } from './upstream.ts';

const callOf = (changes: Partial<UpstreamCall<string>> = {}): UpstreamCall<string> => ({
  what: 'getThing',
  isRepeatable: true,
  answerBytesMax: 1_000,
  address: (base) => ({ method: 'GET', url: base, body: null }),
  read: ({ status, retryAfter, body }) => {
    if (status !== 200) throw faultOfStatus('it', status, retryAfter, false);
    return body;
  },
  ...changes,
});

function open(hosts: readonly string[], outcomes: readonly Outcome[]) {
  const left = [...outcomes];
  const transport = new ScriptedTransport(() => left.shift() ?? { body: 'done' });
  const ports = upstreamPorts(transport);
  const urls = hosts.map((host) => new URL(`https://${host}.example/`));
  return { upstream: new Upstream('it', urls, ports), transport, time: ports.time, ports };
}

/** Asks, and moves the time on until there is an answer or an error. */
async function ask(
  { upstream, time }: Pick<ReturnType<typeof open>, 'upstream' | 'time'>,
  asked = callOf(),
): Promise<string | ServiceError> {
  const answer = upstream.request(asked).catch((error: unknown) => {
    if (isServiceError(error)) return error;
    throw error;
  });
  await time.pass(1_000);
  return answer;
}

const down = { fault: 'unreachable' } as const;

describe('Upstream', () => {
  it('tries a read three times at a single URL, with growing pauses', async () => {
    const { upstream, transport, time } = open(['a'], [down, down]);
    const answer = upstream.request(callOf());
    await time.pass(70);
    expect(transport.requests).toHaveLength(1);
    await time.pass(10);
    expect(transport.requests).toHaveLength(2);
    await time.pass(140);
    expect(transport.requests).toHaveLength(2);
    await time.pass(20);
    expect(await answer).toBe('done');
    expect(transport.requests).toHaveLength(3);
  });

  it('fails after two retries with the last error', async () => {
    const opened = open(['a', 'b', 'c', 'd'], [down, down, { status: 500 }]);
    expect(await ask(opened)).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      context: { upstreamStatus: 500 },
    });
    expect(opened.transport.hosts).toEqual(['a.example', 'b.example', 'c.example']);
  });

  it('tries the next URL without a pause', async () => {
    const { upstream, transport, time } = open(['a', 'b'], [down]);
    expect(await upstream.request(callOf())).toBe('done');
    expect(transport.hosts).toEqual(['a.example', 'b.example']);
    expect(time.waiting).toBe(0);
  });

  it.each(['timed-out', 'too-large'] as const)('does not retry a URL whose answer was %s', async (fault) => {
    const alone = open(['a'], [{ fault }]);
    expect(await ask(alone)).toMatchObject({ name: 'ServiceError' });
    expect(alone.transport.hosts).toEqual(['a.example']);
    const two = open(['a', 'b'], [{ fault }]);
    expect(await ask(two)).toBe('done');
    expect(two.transport.hosts).toEqual(['a.example', 'b.example']);
  });

  it.each([down, { fault: 'broken-off' }, { fault: 'timed-out' }, { status: 503 }, { status: 429 }] as const)(
    'tries a request that must not be repeated only once, whatever happens (%o)',
    async (outcome) => {
      const opened = open(['a', 'b'], [outcome]);
      expect(await ask(opened, callOf({ isRepeatable: false }))).toMatchObject({ name: 'ServiceError' });
      expect(opened.transport.requests).toHaveLength(1);
      expect(opened.transport.requests[0]?.mayReuseConnection).toBe(false);
    },
  );

  it('skips a URL for ten seconds after it failed, then prefers it again', async () => {
    const opened = open(['a', 'b'], [down]);
    await ask(opened);
    await ask(opened);
    await opened.time.pass(9_000);
    await ask(opened);
    expect(opened.transport.hosts.slice(1)).toEqual(['b.example', 'b.example', 'a.example']);
  });

  describe('when a URL hangs', () => {
    /** URL `a` hangs from its first call on; `time` is past its rest. */
    async function openHanging() {
      let isHanging = true;
      const transport = new ScriptedTransport(async ({ url, timeoutMs }) => {
        if (url.hostname !== 'a.example' || !isHanging) return { body: 'done' };
        await new Promise<void>((resolve) => ports.timer.after(timeoutMs, resolve));
        return { fault: 'timed-out' };
      });
      const ports = upstreamPorts(transport);
      const urls = ['a', 'b'].map((host) => new URL(`https://${host}.example/`));
      const upstream = new Upstream('it', urls, ports);
      const first = upstream.request(callOf());
      await ports.time.pass(TIMEOUT_MS);
      expect(await first).toBe('done');
      await ports.time.pass(REST_MS);
      transport.requests.length = 0;
      return { upstream, transport, time: ports.time, mend: () => (isHanging = false) };
    }

    it('probes it with one read at a time after its rest, for one second', async () => {
      const { upstream, transport, time } = await openHanging();
      const reads = [1, 2, 3].map(() => upstream.request(callOf()));
      expect(await Promise.all(reads.slice(1))).toEqual(['done', 'done']);
      expect(transport.hosts).toEqual(['a.example', 'b.example', 'b.example']);
      expect(transport.requests[0]?.timeoutMs).toBe(PROBE_TIMEOUT_MS);
      await time.pass(PROBE_TIMEOUT_MS);
      expect(await reads[0]).toBe('done');
      expect(await upstream.request(callOf())).toBe('done');
      expect(transport.hosts.slice(3)).toEqual(['b.example', 'b.example']);
    });

    it('tries the next one after 300 ms (bug: reads waited for up to 5 s)', async () => {
      const { upstream, transport, time } = await openHanging();
      const read = upstream.request(callOf());
      await time.pass(HEDGE_MS - 1);
      expect(transport.hosts).toEqual(['a.example']);
      await time.pass(1);
      expect(await read).toBe('done');
      expect(transport.hosts).toEqual(['a.example', 'b.example']);
    });

    it('makes it rest even if the other one has answered', async () => {
      const { upstream, transport, time } = await openHanging();
      const read = upstream.request(callOf());
      await time.pass(PROBE_TIMEOUT_MS);
      expect(await read).toBe('done');
      transport.requests.length = 0;
      await upstream.request(callOf());
      expect(transport.hosts).toEqual(['b.example']);
    });

    it('never sends it a request that must not be repeated', async () => {
      const { upstream, transport } = await openHanging();
      const send = () => upstream.request(callOf({ isRepeatable: false }));
      expect([await send(), await send()]).toEqual(['done', 'done']);
      expect(transport.hosts).toEqual(['b.example', 'b.example']);
    });

    it('prefers it again once it has answered', async () => {
      const { upstream, transport, mend } = await openHanging();
      mend();
      await upstream.request(callOf());
      await upstream.request(callOf({ isRepeatable: false }));
      expect(transport.hosts).toEqual(['a.example', 'a.example']);
    });

    it('probes again after a bug ended the probe', async () => {
      const { upstream, transport, mend } = await openHanging();
      mend();
      const read = (): never => {
        throw new TypeError('a bug');
      };
      await expect(upstream.request(callOf({ read }))).rejects.toThrow('a bug');
      await upstream.request(callOf());
      expect(transport.hosts).toEqual(['a.example', 'a.example']);
    });
  });

  it('skips a URL for as long as it requests, up to a minute', async () => {
    const opened = open(['a', 'b'], [{ status: 429, retryAfter: '3600' }]);
    await ask(opened);
    await opened.time.pass(58_000);
    await ask(opened);
    await opened.time.pass(1_000);
    await ask(opened);
    expect(opened.transport.hosts.slice(1)).toEqual(['b.example', 'b.example', 'a.example']);
  });

  it('uses the only URL even while it rests', async () => {
    const opened = open(['a'], [{ status: 429, retryAfter: '60' }]);
    expect(await ask(opened)).toMatchObject({
      code: 'UPSTREAM_RATE_LIMITED',
      context: { retryAfterSeconds: 60 },
    });
    expect(await ask(opened)).toBe('done');
  });

  describe('when a URL is late with a read', () => {
    /** URLs that answer after some ms each. */
    function openSlow(...answers: readonly (readonly [afterMs: number, outcome: Outcome])[]) {
      const transport = new ScriptedTransport(async ({ url }) => {
        const [afterMs, outcome] = answers[Number(url.hostname[0])] as (typeof answers)[number];
        await new Promise<void>((resolve) => ports.timer.after(afterMs, resolve));
        return outcome;
      });
      const ports = upstreamPorts(transport);
      const urls = answers.map((_, at) => new URL(`https://${at}.example/`));
      return { upstream: new Upstream('it', urls, ports), transport, time: ports.time };
    }

    it('returns its answer if that comes first', async () => {
      const { upstream, time } = openSlow([400, { body: 'first' }], [400, { body: 'second' }]);
      const answer = upstream.request(callOf());
      await time.pass(800);
      expect(await answer).toBe('first');
    });

    it('waits for it if the other one fails', async () => {
      const { upstream, time } = openSlow([900, { body: 'first' }], [1, down]);
      const answer = upstream.request(callOf());
      await time.pass(900);
      expect(await answer).toBe('first');
    });

    it('returns the error of the first if both fail and no attempt is left', async () => {
      const opened = openSlow([400, { status: 500 }], [1, { status: 502 }]);
      expect(await ask(opened)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
      expect(opened.transport.requests.length).toBeLessThanOrEqual(5);
    });

    it('skips the URL that should be tried last (bug: a URL confirmed its own answer)', async () => {
      const { upstream, transport, time } = openSlow([1, { body: 'first' }], [400, { body: 'second' }]);
      const answer = upstream.request(callOf({ notBy: 0 }));
      await time.pass(400);
      expect(await answer).toBe('second');
      expect(transport.hosts).toEqual(['1.example']);
    });

    it('skips a URL that is resting (bug: it used one that had answered 429)', async () => {
      const opened = openSlow([400, { body: 'first' }], [1, { status: 429, retryAfter: '60' }]);
      expect([await ask(opened), await ask(opened)]).toEqual(['first', 'first']);
      expect(opened.transport.hosts).toEqual(['0.example', '1.example', '0.example']);
    });

    it('sends a request that must not be repeated only once', async () => {
      const { upstream, transport, time } = openSlow([4_000, { body: 'first' }], [1, { body: 'second' }]);
      const answer = upstream.request(callOf({ isRepeatable: false }));
      await time.pass(4_000);
      expect(await answer).toBe('first');
      expect(transport.hosts).toEqual(['0.example']);
    });
  });

  describe('in an outage', () => {
    /** Requests at the same time, and the number of attempts that they cause. */
    async function attemptsOf(hosts: readonly string[], count: number, outcome: Outcome): Promise<number> {
      const transport = new ScriptedTransport(() => outcome);
      const ports = upstreamPorts(transport);
      const urls = hosts.map((host) => new URL(`https://${host}.example/`));
      const upstream = new Upstream('it', urls, ports);
      for (let asked = 0; asked < count; asked++) {
        const answer = upstream.request(callOf()).catch((error: unknown) => error);
        await ports.time.pass(0);
        void answer;
      }
      await ports.time.pass(1_000);
      return transport.requests.length;
    }

    it.each([down, { status: 500 }, { status: 429 }, { fault: 'timed-out' }] as const)(
      'retries a tenth of the requests and a small reserve (%o)',
      async (outcome) => {
        for (const hosts of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
          const attempts = await attemptsOf(hosts, 1_000, outcome);
          expect(attempts).toBeLessThanOrEqual(1_000 * 1.1 + RESERVE_MAX + hosts.length);
        }
      },
    );

    it('still moves every request that is in progress to a healthy URL', async () => {
      const transport = new ScriptedTransport(({ url }) =>
        url.hostname === 'a.example' ? down : { body: 'done' },
      );
      const ports = upstreamPorts(transport);
      const urls = ['https://a.example', 'https://b.example'].map((url) => new URL(url));
      const upstream = new Upstream('it', urls, ports);
      const answers = await Promise.all(Array.from({ length: 100 }, () => upstream.request(callOf())));
      expect(answers).toEqual(Array.from({ length: 100 }, () => 'done'));
    });

    it('sends no more than a tenth of the requests and a reserve early', async () => {
      let time: ReturnType<typeof upstreamPorts>['time'] | undefined;
      const transport = new ScriptedTransport(async () => {
        await new Promise<void>((resolve) => time?.after(HEDGE_MS + 100, resolve));
        return { body: 'done' };
      });
      const ports = upstreamPorts(transport);
      time = ports.time;
      const urls = ['https://a.example', 'https://b.example'].map((url) => new URL(url));
      const upstream = new Upstream('it', urls, ports);
      const answers = Promise.all(Array.from({ length: 1_000 }, () => upstream.request(callOf())));
      await ports.time.pass(2 * HEDGE_MS);
      await answers;
      expect(transport.requests).toHaveLength(1_000 + RESERVE_MAX);
    });
  });

  it('does not report a bug as a fault of the upstream', async () => {
    const { upstream } = open(['a'], []);
    const read = (): never => {
      throw new TypeError('a bug');
    };
    await expect(upstream.request(callOf({ read }))).rejects.toThrow('a bug');
  });

  it('logs a failure by position, never by URL', async () => {
    const lines: string[] = [];
    const keep = (fields: object, message: string): number =>
      lines.push(JSON.stringify({ ...fields, message }));
    const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep };
    const { ports } = open([], []);
    const transport = new ScriptedTransport(({ url }) =>
      url.hostname === 'a.example' ? down : { body: 'done' },
    );
    const urls = ['https://u:c4n4ry@a.example/c4n4ry?c4n4ry=1', 'https://b.example'].map(
      (url) => new URL(url),
    );
    await new Upstream('it', urls, { ...ports, transport, logger }).request(callOf());
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"position":1');
    expect(lines[0]).not.toMatch(/c4n4ry|example/);
  });
});
