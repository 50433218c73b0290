import { describe, expect, it } from 'vitest';
import { findWallets, type FoundWallet } from './standard.ts';

const ADDRESS = 'CUmACateJHQ2jb5itRLLivMnYqXxUgxqMNLcbR2wqFFd';
const OTHER = 'Bh7RxLHZsTtVLE7FR5w6wxqzHGkSTzDTcVCXqBXDURAp';
const account = (address: string): object => ({ address, chains: ['solana:mainnet'] });

interface Register {
  register(...wallets: readonly unknown[]): () => void;
}

/** A wallet as an extension announces it. */
function walletOf(name: unknown, connect: () => unknown, rest: object = {}): object {
  const features = { 'standard:connect': { version: '1.0.0', connect } };
  return {
    version: '1.0.0',
    name,
    icon: 'data:,',
    chains: ['solana:mainnet'],
    accounts: [],
    features,
    ...rest,
  };
}

/** Announces a wallet as an extension does whose script runs before the page's, or after it. */
function announce(page: EventTarget, wallet: unknown): void {
  const callback = ({ register }: Register): void => void register(wallet);
  page.addEventListener('wallet-standard:app-ready', (event) => callback((event as CustomEvent).detail));
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }));
}

/** A page, and the wallets that were found on it. */
function pageWith(...early: readonly unknown[]) {
  const page = new EventTarget();
  for (const wallet of early) announce(page, wallet);
  let found: readonly FoundWallet[] = [];
  const stop = findWallets(page, (wallets) => {
    found = wallets;
  });
  return { page, stop, names: () => found.map(({ name }) => name), first: () => found[0] as FoundWallet };
}

const never = (): never => {
  throw new Error('nothing was to be told');
};

describe('browser wallets', () => {
  it('are found whether they register before or after the page loads, each once', () => {
    const early = walletOf('Early', never);
    const { page, names, stop } = pageWith(early);
    expect(names()).toEqual(['Early']);
    announce(page, walletOf('Late', never));
    announce(page, early);
    expect(names()).toEqual(['Early', 'Late']);
    stop();
    announce(page, walletOf('Too late', never));
    expect(names()).toEqual(['Early', 'Late']);
  });

  it('are removed when they unregister', () => {
    const { page, names } = pageWith();
    let takeAway = (): void => undefined;
    const callback = ({ register }: Register): void => {
      takeAway = register(walletOf('One', never), walletOf('Two', never));
    };
    page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }));
    expect(names()).toEqual(['One', 'Two']);
    takeAway();
    expect(names()).toEqual([]);
  });

  it.each<readonly [string, unknown]>([
    ['nothing', null],
    ['a text', 'wallet'],
    ['no name', walletOf(undefined, never)],
    ['an object for a name', walletOf({ toString: () => 'Name' }, never)],
    ['no chain of Solana', walletOf('Other', never, { chains: ['sui:mainnet'] })],
    ['no chains', walletOf('Other', never, { chains: 7 })],
    ['no connect feature', walletOf('Other', never, { features: {} })],
    ['another value in its place', walletOf('Other', never, { features: { 'standard:connect': 7 } })],
    [
      'a member that throws',
      {
        get name(): string {
          throw new Error('boo');
        },
      },
    ],
  ])('with %s are ignored, and do not affect the others', (_, wallet) => {
    const { names } = pageWith(wallet, walletOf('Good', never));
    expect(names()).toEqual(['Good']);
  });

  it('are limited to the number that can be shown, however many register', () => {
    const { page, names } = pageWith();
    const many = Array.from({ length: 500 }, (_, at) => walletOf(`${at}`, never));
    const callback = ({ register }: Register): void => void register(...many);
    page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }));
    expect(names()).toHaveLength(24);
  });

  it('are not kept beyond that limit, however many register', () => {
    const { page, names } = pageWith();
    let takeAway = (): void => undefined;
    const chosen = Array.from({ length: 24 }, (_, at) => walletOf(`${at}`, never));
    const callback = ({ register }: Register): void => {
      takeAway = register(...chosen);
    };
    page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }));
    for (let more = 0; more < 500; more++) announce(page, walletOf('More', never));
    takeAway();
    expect(names()).toEqual([]);
    announce(page, walletOf('Next', never));
    expect(names()).toEqual(['Next']);
  });
});

describe('a wallet', () => {
  it('gets no request before it is connected, and then only for its first Solana account', async () => {
    let asked = 0;
    const wallet = walletOf('Good', async () => {
      asked++;
      const others = [
        null,
        { address: 7 },
        account('no address'),
        { address: OTHER, chains: ['sui:mainnet'] },
      ];
      return { accounts: [...others, account(ADDRESS)] };
    });
    const { first } = pageWith(wallet);
    expect(asked).toBe(0);
    expect(await first().connect(never)).toBe(ADDRESS);
    expect(asked).toBe(1);
  });

  it('whose account returns another address each time passes on the checked one', async () => {
    let reads = 0;
    const shifty = {
      chains: ['solana:mainnet'],
      get address(): unknown {
        return ++reads === 1 ? ADDRESS : { type: 'img' };
      },
    };
    const { first } = pageWith(walletOf('Shifty', async () => ({ accounts: [shifty] })));
    expect(await first().connect(never)).toBe(ADDRESS);
    expect(reads).toBe(1);
  });

  it.each<readonly [string, unknown]>([
    ['nothing', undefined],
    ['no accounts', { accounts: 'many' }],
    ['an empty list of accounts', { accounts: [] }],
    ['invalid addresses', { accounts: [account('<img src=x>')] }],
  ])('that answers with %s is not connected', async (_, answer) => {
    const { first } = pageWith(walletOf('Bad', async () => answer));
    await expect(first().connect(never)).rejects.toThrow();
  });

  it('that refuses does so with its own message', async () => {
    const refusal = (): never => {
      throw new Error('User rejected');
    };
    await expect(pageWith(walletOf('No', refusal)).first().connect(never)).rejects.toThrow('User rejected');
    const empty = walletOf('Empty', async () => ({ accounts: [] }));
    await expect(pageWith(empty).first().connect(never)).rejects.toThrow('no Solana account');
  });

  it('reports a change to another account or to none', async () => {
    let change: (to: { readonly accounts?: unknown }) => void = never;
    const connect = async (): Promise<object> => ({ accounts: [account(ADDRESS)] });
    const features = {
      'standard:connect': { connect },
      'standard:events': {
        on: (_: string, listener: typeof change) => {
          change = listener;
          return () => undefined;
        },
      },
    };
    const told: (string | null)[] = [];
    await pageWith(walletOf('Good', never, { features }))
      .first()
      .connect((address) => void told.push(address));
    change({ accounts: [account(OTHER)] });
    change({});
    change({ accounts: [] });
    expect(told).toEqual([OTHER, null]);
  });

  it('sign transactions with the connected account, on a chain only if they know it', async () => {
    const inputs: unknown[] = [];
    const signed = Uint8Array.of(2);
    const one = account(ADDRESS);
    const features = {
      'standard:connect': { connect: async () => ({ accounts: [one] }) },
      'solana:signTransaction': {
        signTransaction: async (input: unknown) => {
          inputs.push(input);
          return [{ signedTransaction: signed }];
        },
      },
    };
    const { first } = pageWith(walletOf('Good', never, { features }));
    await first().connect(() => undefined);
    const transaction = Uint8Array.of(1);
    for (const chain of ['solana:mainnet', 'solana:localnet']) {
      expect(await first().sign?.(ADDRESS, transaction, chain)).toBe(signed);
    }
    expect(inputs).toEqual([
      { account: one, transaction, chain: 'solana:mainnet' },
      { account: one, transaction },
    ]);
  });

  it('that return no transaction, or cannot sign, are reported', async () => {
    const features = {
      'standard:connect': { connect: async () => ({ accounts: [account(ADDRESS)] }) },
      'solana:signTransaction': { signTransaction: async () => [{ signedTransaction: 'AQID' }] },
    };
    const { first } = pageWith(walletOf('Odd', never, { features }));
    await first().connect(() => undefined);
    await expect(first().sign?.(ADDRESS, Uint8Array.of(1), 'solana:mainnet')).rejects.toThrow(
      'The wallet returned no transaction.',
    );
    expect(pageWith(walletOf('Reader', never)).first().sign).toBeNull();
  });
});
