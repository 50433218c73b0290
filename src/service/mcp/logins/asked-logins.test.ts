import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../errors/service-error.ts';
import { systemRandom } from '../../../ports/random.ts';
import { HandTimer } from '../../../ports/testing/hand-timer.ts';
import {
  type AskedLogin,
  AskedLogins,
  LOGIN_MS_MAX,
  type LoginAnswer,
  type LoginWish,
  OPEN_MAX,
  OPEN_OF_WALLET_MAX,
  WAIT_MS_MAX,
  WRONG_CODES_MAX,
} from './asked-logins.ts';

const ANSWER: LoginAnswer = { challenge: 'challenge', signature: 'of Alice' };
const NOT_OPEN = /This login is not open/;

/** A rollup at which Alice alone can log in. */
const login: LoginWish['login'] = async ({ signature }) => {
  if (signature === 'of Alice') return 'token';
  throw new ServiceError('AUTH_REFUSED', 'The signature is not of this wallet');
};

const wish = (more: Partial<LoginWish> = {}): LoginWish => ({
  wallet: 'Alice',
  cluster: undefined,
  tells: 'a balance',
  client: 'Assistant',
  call: 'call',
  login,
  ...more,
});

function open() {
  const timer = new HandTimer();
  const logins = new AskedLogins({ origin: 'http://127.0.0.1:8787', timer, random: systemRandom });
  const ask = (more: Partial<LoginWish> = {}): AskedLogin => {
    const asked = logins.ask(wish(more));
    if (asked === null) throw new Error('not asked');
    return asked;
  };
  /** Collects at once: what waits is woken by its time. */
  const collect = async (secret: string, call = 'call') => {
    const collected = logins.collect(secret, call);
    timer.pass(WAIT_MS_MAX);
    return collected;
  };
  return { timer, logins, ask, collect };
}

const guess = (code: string): string => (code.startsWith('AAA') ? 'BBB-BBB' : 'AAA-AAA');

function isShown(logins: AskedLogins, id: string): boolean {
  try {
    return logins.show(id).wallet !== '';
  } catch {
    return false;
  }
}

describe('a login that is asked for', () => {
  it('is collected by the call that asked, once, with the token that nobody else was told', async () => {
    const { logins, ask, collect, timer } = open();
    const { secret, id, code } = ask();
    expect(await collect(secret)).toEqual({ kind: 'open' });
    expect(await logins.answer(id, code, ANSWER)).toBeUndefined();
    expect(await collect(secret)).toEqual({ kind: 'token', token: 'token' });
    expect(await collect(secret)).toEqual({ kind: 'unknown' });
    expect(timer.size).toBe(0);
  });

  it('is shown with who asks, for what and for whom, and without the code', () => {
    const { logins, ask } = open();
    expect(logins.show(ask({ cluster: 'devnet-private' }).id)).toEqual({
      wallet: 'Alice',
      tells: 'a balance',
      client: 'Assistant',
      cluster: 'devnet-private',
    });
  });

  it('has nothing in the address of its page but a digest of the secret', () => {
    const { logins, ask } = open();
    const asked = ask();
    const page = logins.pageOf(asked);
    expect(page).toBe(`http://127.0.0.1:8787/console/login?ask=${asked.id}`);
    for (const hidden of [asked.secret, asked.code, asked.code.replace('-', ''), 'Alice', 'Assistant'])
      expect(page).not.toContain(hidden);
  });

  it('takes the code however it is typed', async () => {
    const { logins, ask } = open();
    const { id, code } = ask();
    await logins.answer(id, ` ${code.replace('-', '  ').toLowerCase()}`, ANSWER);
    expect(() => logins.show(id)).toThrow(NOT_OPEN);
  });

  it('is told to a call that waits as soon as somebody has logged in', async () => {
    const { logins, ask } = open();
    const { secret, id, code } = ask();
    const waiting = logins.collect(secret, 'call');
    await logins.answer(id, code, ANSWER);
    expect(await waiting).toEqual({ kind: 'token', token: 'token' });
  });

  it('is told to the later one of two calls that wait, as the earlier one may have been given up', async () => {
    const { logins, ask } = open();
    const { secret, id, code } = ask();
    const earlier = logins.collect(secret, 'call');
    const later = logins.collect(secret, 'call');
    expect(await earlier).toEqual({ kind: 'open' });
    await logins.answer(id, code, ANSWER);
    expect(await later).toEqual({ kind: 'token', token: 'token' });
  });

  it('is not collected by a call that was given up, and stays for the next one', async () => {
    const { logins, ask, collect, timer } = open();
    const { secret, id, code } = ask();
    const connection = new AbortController();
    const givenUp = logins.collect(secret, 'call', connection.signal);
    connection.abort();
    // What is left to wait for is the end of the login.
    expect(timer.size).toBe(1);
    expect(await givenUp).toEqual({ kind: 'open' });
    await logins.answer(id, code, ANSWER);
    expect(await logins.collect(secret, 'call', connection.signal)).toEqual({ kind: 'open' });
    expect(await collect(secret)).toEqual({ kind: 'token', token: 'token' });
  });

  it('is not collected by a call that is given up in the moment of the answer', async () => {
    const { logins, ask, collect } = open();
    const { secret, id, code } = ask();
    const connection = new AbortController();
    const givenUp = logins.collect(secret, 'call', connection.signal);
    const answered = logins.answer(id, code, ANSWER).then(() => undefined);
    connection.abort();
    await answered;
    expect(await givenUp).toEqual({ kind: 'open' });
    expect(await collect(secret)).toEqual({ kind: 'token', token: 'token' });
  });

  it('is over after its time, with whatever was answered by then', async () => {
    const { logins, ask, collect, timer } = open();
    const [answered, unanswered] = [ask(), ask()];
    await logins.answer(answered.id, answered.code, ANSWER);
    timer.pass(LOGIN_MS_MAX);
    for (const { secret, id, code } of [answered, unanswered]) {
      expect(await collect(secret)).toEqual({ kind: 'unknown' });
      expect(() => logins.show(id)).toThrow(NOT_OPEN);
      await expect(logins.answer(id, code, ANSWER)).rejects.toThrow(NOT_OPEN);
    }
    expect(timer.size).toBe(0);
  });

  it('that ends while the rollup is asked gives nobody a token', async () => {
    const { logins, ask, collect, timer } = open();
    const { secret, id, code } = ask();
    const answering = logins.answer(id, code, ANSWER);
    timer.pass(LOGIN_MS_MAX);
    await expect(answering).rejects.toThrow(NOT_OPEN);
    expect(await collect(secret)).toEqual({ kind: 'unknown' });
  });

  it('is declined on the page, or dropped by the caller', async () => {
    const { logins, ask, collect } = open();
    const [declined, dropped] = [ask(), ask()];
    logins.decline(declined.id);
    expect(() => logins.show(declined.id)).toThrow(NOT_OPEN);
    expect(await collect(declined.secret)).toEqual({ kind: 'declined' });
    expect(await collect(declined.secret)).toEqual({ kind: 'unknown' });
    logins.drop(dropped.secret);
    expect(() => logins.show(dropped.id)).toThrow(NOT_OPEN);
  });

  it('is answered once: what was answered is not answered again, nor declined', async () => {
    const { logins, ask } = open();
    const { id, code } = ask();
    const [first, second] = [logins.answer(id, code, ANSWER), logins.answer(id, code, ANSWER)];
    await expect(second).rejects.toThrow(NOT_OPEN);
    await first;
    await expect(logins.answer(id, code, ANSWER)).rejects.toThrow(NOT_OPEN);
    expect(() => logins.decline(id)).toThrow(NOT_OPEN);
  });

  it('ends with the service, and keeps no call waiting for it', async () => {
    const { logins, ask, timer } = open();
    const waiting = logins.collect(ask().secret, 'call');
    logins.close();
    expect(await waiting).toEqual({ kind: 'unknown' });
    expect(timer.size).toBe(0);
  });

  it('gives way, as the oldest of its wallet that nobody has answered, where too many are asked for', async () => {
    const { ask, logins } = open();
    const bob = ask({ wallet: 'Bob' });
    const [answered, oldest, ...later] = Array.from({ length: OPEN_OF_WALLET_MAX }, () => ask());
    if (answered === undefined || oldest === undefined) throw new Error('none asked for');
    await logins.answer(answered.id, answered.code, ANSWER);
    later.push(ask());
    expect(() => logins.show(oldest.id)).toThrow(NOT_OPEN);
    for (const { id } of [bob, ...later]) expect(logins.show(id)).toBeDefined();
    expect(await logins.collect(answered.secret, 'call')).toEqual({ kind: 'token', token: 'token' });
  });

  it('gives way, as the oldest of all, where too many wallets are asked for', () => {
    const { ask, logins } = open();
    const all = Array.from({ length: OPEN_MAX }, (_, count) => ask({ wallet: `Bob ${count}` }));
    const carol = ask({ wallet: 'Carol' });
    const isOpen = [...all, carol].map(({ id }) => isShown(logins, id));
    expect(isOpen).toEqual([false, ...Array<boolean>(OPEN_MAX).fill(true)]);
  });

  it('gives way once it is declined, as whoever asks can decline by itself', async () => {
    const { ask, logins } = open();
    for (let count = 0; count < OPEN_OF_WALLET_MAX; count++) logins.decline(ask().id);
    expect(logins.ask(wish())).not.toBeNull();
  });

  it('is not opened where each of the others is being answered or waits to be collected', async () => {
    const { ask, logins, timer } = open();
    const [answering, ...others] = Array.from({ length: OPEN_OF_WALLET_MAX }, () => ask());
    if (answering === undefined) throw new Error('none asked for');
    for (const { id, code } of others) await logins.answer(id, code, ANSWER);
    const answered = logins.answer(answering.id, answering.code, ANSWER);
    expect(logins.ask(wish())).toBeNull();
    await answered;
    expect(logins.ask(wish())).toBeNull();
    timer.pass(LOGIN_MS_MAX);
    expect(logins.ask(wish())).not.toBeNull();
  });
});

describe('a stranger who has the address of the page', () => {
  it('cannot collect with it', async () => {
    const { logins, ask, collect } = open();
    const { secret, id, code } = ask();
    await logins.answer(id, code, ANSWER);
    expect(await collect(id)).toEqual({ kind: 'unknown' });
    expect(await collect(secret)).toMatchObject({ kind: 'token' });
  });

  it('cannot answer without the code, and ends the login by guessing', async () => {
    const { logins, ask, collect } = open();
    const { secret, id, code } = ask();
    for (let tries = 1; tries <= WRONG_CODES_MAX; tries++)
      await expect(logins.answer(id, guess(code), ANSWER)).rejects.toThrow(/not the code/);
    await expect(logins.answer(id, code, ANSWER)).rejects.toThrow(NOT_OPEN);
    expect(await collect(secret)).toEqual({ kind: 'unknown' });
  });

  it('cannot answer with the code and another wallet, and leaves it open', async () => {
    const { logins, ask, collect } = open();
    const { secret, id, code } = ask();
    const foreign = { ...ANSWER, signature: 'of Mallory' };
    await expect(logins.answer(id, code, foreign)).rejects.toMatchObject({ code: 'AUTH_REFUSED' });
    expect(await collect(secret)).toEqual({ kind: 'open' });
    await logins.answer(id, code, ANSWER);
    expect(await collect(secret)).toMatchObject({ kind: 'token' });
  });
});

describe('a stranger who guesses what the caller has', () => {
  it.each(['', 'guess', 'A'.repeat(43), '__proto__'])('collects nothing with %j', async (secret) => {
    const { logins, ask, collect } = open();
    const { id, code } = ask();
    await logins.answer(id, code, ANSWER);
    expect(await collect(secret)).toEqual({ kind: 'unknown' });
  });

  it('collects nothing for another call even with the very secret, and takes nothing away', async () => {
    const { logins, ask, collect } = open();
    const { secret, id, code } = ask();
    await logins.answer(id, code, ANSWER);
    expect(await collect(secret, 'another call')).toEqual({ kind: 'unknown' });
    expect(await collect(secret)).toMatchObject({ kind: 'token' });
  });
});
