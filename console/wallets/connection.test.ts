import { describe, expect, it } from 'vitest';
import { createConnection } from './connection.ts';
import type { FoundWallet } from './standard.ts';

/** A wallet that answers on command, and can switch accounts. */
function walletOf(name: string) {
  let answer: (address: string) => void = () => undefined;
  let refuse: (error: unknown) => void = () => undefined;
  let change: (address: string | null) => void = () => undefined;
  const wallet: FoundWallet = {
    name,
    sign: null,
    connect: (onChange) => {
      change = onChange;
      return new Promise((resolve, reject) => {
        [answer, refuse] = [resolve, reject];
      });
    },
  };
  return {
    wallet,
    answer: (address: string) => answer(address),
    refuse: (error: unknown) => refuse(error),
    change: (address: string | null) => change(address),
  };
}

describe('a connection to a browser wallet', () => {
  it('exists after the wallet answers, follows its account, and ends with it', async () => {
    const connection = createConnection();
    const one = walletOf('One');
    const connecting = connection.connect(one.wallet);
    expect(connection.asking.value).toBe(one.wallet);
    one.answer('first');
    await connecting;
    expect(connection.asking.value).toBeNull();
    expect(connection.connected.value).toEqual({ wallet: one.wallet, address: 'first' });
    connection.callOff();
    one.change('second');
    expect(connection.connected.value).toEqual({ wallet: one.wallet, address: 'second' });
    one.change(null);
    one.change('third');
    expect(connection.connected.value).toBeNull();
  });

  it('is not replaced by a wallet that answers late', async () => {
    const connection = createConnection();
    const [late, other] = [walletOf('Late'), walletOf('Other')];
    const first = connection.connect(late.wallet);
    connection.callOff();
    const second = connection.connect(other.wallet);
    other.answer('of the other');
    await second;
    late.answer('of the late one');
    await first;
    late.change('of the late one');
    expect(connection.connected.value).toEqual({ wallet: other.wallet, address: 'of the other' });
    connection.forget();
    other.change('of the other');
    expect(connection.connected.value).toBeNull();
  });

  it.each<readonly [string, (wallet: ReturnType<typeof walletOf>) => void]>([
    ['answers', ({ answer }) => answer('of the late one')],
    ['refuses', ({ refuse }) => refuse(new Error('late'))],
  ])('is not started by a wallet that %s after it was forgotten', async (_, end) => {
    const connection = createConnection();
    const late = walletOf('Late');
    const connecting = connection.connect(late.wallet);
    connection.forget();
    end(late);
    await connecting;
    expect(connection.connected.value).toBeNull();
    expect(connection.fault.value).toBeNull();
  });

  it('can be canceled if the wallet never answers, so that another wallet can be tried', async () => {
    const connection = createConnection();
    const [silent, other] = [walletOf('Silent'), walletOf('Other')];
    void connection.connect(silent.wallet);
    connection.callOff();
    expect(connection.asking.value).toBeNull();
    const connecting = connection.connect(other.wallet);
    expect(connection.asking.value).toBe(other.wallet);
    other.answer('of the other');
    await connecting;
    expect(connection.connected.value?.wallet).toBe(other.wallet);
  });

  it.each<readonly [string, unknown, string]>([
    ['an Error', new Error('User rejected'), 'User rejected'],
    ['what looks like one', { code: 4001, message: 'User rejected' }, 'User rejected'],
    ['nothing', undefined, 'It gave no reason.'],
    ['a value that is not text', { message: {} }, 'It gave no reason.'],
    [
      'text that throws when it is read',
      {
        get message(): string {
          throw new Error('boo');
        },
      },
      'It gave no reason.',
    ],
  ])('reports why it failed, and stops asking, if the wallet refuses with %s', async (_, error, said) => {
    const connection = createConnection();
    const one = walletOf('One');
    const connecting = connection.connect(one.wallet);
    one.refuse(error);
    await connecting;
    expect(connection.fault.value).toBe(said);
    expect(connection.asking.value).toBeNull();
    expect(connection.connected.value).toBeNull();
  });
});
