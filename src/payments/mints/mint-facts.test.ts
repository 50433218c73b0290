import { describe, expect, it } from 'vitest';
import { HOLDER, PYUSD_MINT } from '../../../test/ports/holder.ts';
import { MapChain, mintData, mintDataOf } from '../../../test/ports/map-chain.ts';
import type { Chain, Network } from '../../chain/chain.ts';
import { HandTime } from '../../chain/testing/hand-time.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { COMMON_MINTS } from './common-mints.ts';
import { CONFIRMED_MS, DECIMALS_MAX, readMint, requireHoldable } from './mint-facts.ts';

/** Another mint of SPL Token, of which nothing is known beforehand. */
const MINT = addressOf(new Uint8Array(32).fill(9));

class CountingChain extends MapChain {
  reads = 0;
  accountBy?: NonNullable<Chain['accountBy']>;

  override getAccounts(addresses: readonly Address[]) {
    this.reads++;
    return super.getAccounts(addresses);
  }
}

/** A chain with USDC and another mint of SPL Token, and one of Token-2022. */
function chainOf(network: 'localnet' | 'mainnet'): CountingChain {
  const chain = new CountingChain();
  chain.network = network;
  chain.put(USDC_MINT, { owner: TOKEN_PROGRAM, data: mintData(6) });
  chain.put(MINT, { owner: TOKEN_PROGRAM, data: mintData(2) });
  chain.put(PYUSD_MINT, { owner: TOKEN_2022_PROGRAM, data: mintData(6) });
  return chain;
}

describe('readMint', () => {
  it('returns the program and the decimals', async () => {
    const chain = chainOf('mainnet');
    expect(await readMint(chain, USDC_MINT)).toEqual({
      mint: USDC_MINT,
      tokenProgram: TOKEN_PROGRAM,
      decimals: 6,
    });
    expect(await readMint(chain, PYUSD_MINT)).toMatchObject({
      tokenProgram: TOKEN_2022_PROGRAM,
      decimals: 6,
    });
  });

  it.each([
    ['a common mint of a network once', 'mainnet', USDC_MINT, 1],
    ['another SPL Token mint twice, so that two readings agree', 'mainnet', MINT, 2],
    ['a Token-2022 mint each time, because it can be closed', 'mainnet', PYUSD_MINT, 3],
    ['a mint of localnet each time, because it can be reset', 'localnet', USDC_MINT, 3],
  ] as const)('reads %s', async (_, network, mint, reads) => {
    const chain = chainOf(network);
    for (let i = 0; i < 3; i++) await readMint(chain, mint);
    expect(chain.reads).toBe(reads);
  });

  it.each([
    ['an SPL Token mint', USDC_MINT],
    ['a Token-2022 mint', PYUSD_MINT],
  ])('reads %s of a network once for concurrent callers', async (_, mint) => {
    const chain = chainOf('mainnet');
    const answers = await Promise.all(Array.from({ length: 5 }, () => readMint(chain, mint)));
    expect(new Set(answers).size).toBe(1);
    expect(chain.reads).toBe(1);
  });

  it('reports a failure to all concurrent callers, and reads again for the next one', async () => {
    const chain = new CountingChain();
    chain.network = 'mainnet';
    const failures = await Promise.allSettled([readMint(chain, USDC_MINT), readMint(chain, USDC_MINT)]);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    chain.put(USDC_MINT, { owner: TOKEN_PROGRAM, data: mintData(6) });
    expect((await readMint(chain, USDC_MINT)).decimals).toBe(6);
    expect(chain.reads).toBe(2);
  });

  it.each(['localnet', 'mainnet'] as const)(
    'fails on %s before other accounts that were read at the same time and depend on the mint',
    async (network) => {
      const chain = chainOf(network);
      const readWhatFollows = async (): Promise<never> => {
        await chain.getAccounts([HOLDER]);
        throw new Error('nothing of this mint was deposited');
      };
      const both = Promise.all([readMint(chain, HOLDER), readWhatFollows()]);
      await expect(both).rejects.toMatchObject({ code: 'MINT_NOT_FOUND' });
    },
  );

  it('keeps the mints of different chains apart', async () => {
    await readMint(chainOf('mainnet'), USDC_MINT);
    const other = new MapChain();
    other.network = 'mainnet';
    await expect(readMint(other, USDC_MINT)).rejects.toMatchObject({ code: 'MINT_NOT_FOUND' });
  });

  it('never caches a failure', async () => {
    const chain = chainOf('mainnet');
    const mint = addressOf(new Uint8Array(32).fill(7));
    await expect(readMint(chain, mint)).rejects.toMatchObject({ code: 'MINT_NOT_FOUND' });
    chain.put(mint, { owner: TOKEN_PROGRAM, data: new Uint8Array(82) });
    await expect(readMint(chain, mint)).rejects.toMatchObject({ code: 'ACCOUNT_UNREADABLE' });
    chain.put(mint, { owner: SYSTEM_PROGRAM, data: mintData(6) });
    await expect(readMint(chain, mint)).rejects.toMatchObject({ code: 'UNSUPPORTED_TOKEN_PROGRAM' });
    chain.put(mint, { owner: TOKEN_PROGRAM, data: mintData(2) });
    expect((await readMint(chain, mint)).decimals).toBe(2);
  });

  it('caches at most 1,024 mints of a chain', async () => {
    const chain = chainOf('mainnet');
    const mints = Array.from({ length: 1_025 }, (_, index) => {
      const bytes = new Uint8Array(32).fill(1);
      new DataView(bytes.buffer).setUint32(0, index);
      return addressOf(bytes);
    });
    for (const mint of mints) {
      chain.put(mint, { owner: TOKEN_PROGRAM, data: mintData(6) });
      await readMint(chain, mint);
      await readMint(chain, mint);
    }
    await readMint(chain, mints[1] as Address);
    expect(chain.reads).toBe(2_050);
    await readMint(chain, mints[0] as Address);
    expect(chain.reads).toBe(2_051);
  });
});

/** A chain with a scripted answer about a mint. */
function telling(mint: Address, network: Network = 'mainnet') {
  const chain = new CountingChain();
  chain.network = network;
  const tell = (decimals: number, owner: Address = TOKEN_PROGRAM) =>
    void chain.put(mint, { owner, data: mintData(decimals) });
  return { chain, tell };
}

describe("a network's answer about a common mint", () => {
  it('is rejected if it is false (bug: a response of 9 decimals turned 1.5 USDC into 0.0015)', async () => {
    const { chain, tell } = telling(USDC_MINT);
    tell(9);
    await expect(readMint(chain, USDC_MINT)).rejects.toMatchObject({
      code: 'MINT_FACTS_WRONG',
      message: expect.stringMatching(`${USDC_MINT} is of 9 decimals .* it is USDC, which has 6 decimals`),
      context: { field: 'mint', mint: USDC_MINT },
    });
    tell(6);
    expect((await readMint(chain, USDC_MINT)).decimals).toBe(6);
    expect(chain.reads).toBe(2);
  });

  it.each([...COMMON_MINTS])('is %s with its known properties', async (mint, { decimals }) => {
    for (const network of ['mainnet', 'devnet', 'custom'] as const) {
      const { chain, tell } = telling(mint, network);
      for (const [told, owner] of [
        [decimals + 1, TOKEN_PROGRAM],
        [decimals, TOKEN_2022_PROGRAM],
        [decimals, SYSTEM_PROGRAM],
      ] as const) {
        tell(told, owner);
        await expect(readMint(chain, mint)).rejects.toMatchObject({ code: 'MINT_FACTS_WRONG' });
      }
      chain.put(mint, { owner: TOKEN_PROGRAM, data: new Uint8Array(82) });
      await expect(readMint(chain, mint)).rejects.toMatchObject({ code: 'MINT_FACTS_WRONG' });
      chain.put(mint, { owner: TOKEN_PROGRAM, data: mintDataOf(mint) });
      expect((await readMint(chain, mint)).decimals).toBe(decimals);
    }
  });

  it('can be anything on localnet, where the operator sets the accounts', async () => {
    const { chain, tell } = telling(USDC_MINT, 'localnet');
    tell(9);
    expect((await readMint(chain, USDC_MINT)).decimals).toBe(9);
  });
});

describe("a network's answer about another mint", () => {
  it('is used, and cached only after the next read agrees', async () => {
    const { chain, tell } = telling(MINT);
    tell(3);
    expect((await readMint(chain, MINT)).decimals).toBe(3);
    tell(2);
    await expect(readMint(chain, MINT)).rejects.toMatchObject({
      code: 'MINT_FACTS_DISPUTED',
      message: expect.stringMatching(/of 3 decimals .* of 2 decimals/),
    });
    for (let asked = 0; asked < 3; asked++) expect((await readMint(chain, MINT)).decimals).toBe(2);
    expect(chain.reads).toBe(4);
  });

  it('is rejected if the program differs', async () => {
    const { chain, tell } = telling(MINT);
    tell(3);
    await readMint(chain, MINT);
    tell(3, TOKEN_2022_PROGRAM);
    await expect(readMint(chain, MINT)).rejects.toMatchObject({ code: 'MINT_FACTS_DISPUTED' });
  });

  it('is confirmed again after a while, and dropped if not', async () => {
    const time = new HandTime();
    const { chain, tell } = telling(MINT);
    const decimals = async () => (await readMint(chain, MINT, time)).decimals;
    tell(3);
    expect([await decimals(), await decimals()]).toEqual([3, 3]);
    tell(2);
    await time.pass(CONFIRMED_MS);
    expect(await decimals()).toBe(3);
    await time.pass(1);
    await expect(decimals()).rejects.toMatchObject({ code: 'MINT_FACTS_DISPUTED' });
    expect([await decimals(), await decimals(), await decimals()]).toEqual([2, 2, 2]);
    expect(chain.reads).toBe(5);
  });

  it('is confirmed again when it is repeated', async () => {
    const time = new HandTime();
    const { chain, tell } = telling(MINT);
    tell(3);
    for (let round = 0; round < 2; round++) {
      for (let asked = 0; asked < 3; asked++) await readMint(chain, MINT, time);
      await time.pass(CONFIRMED_MS + 1);
    }
    expect(chain.reads).toBe(3);
  });

  it('is confirmed by another URL if there are several', async () => {
    const { chain, tell } = telling(MINT);
    const notBys: (number | undefined)[] = [];
    let up = [0, 1];
    chain.accountBy = async (address, notBy) => {
      notBys.push(notBy);
      const [account = null] = await chain.getAccounts([address]);
      return { account, by: up.find((at) => at !== notBy) ?? (up[0] as number) };
    };
    tell(3);
    up = [0];
    for (let asked = 0; asked < 3; asked++) await readMint(chain, MINT);
    expect(chain.reads).toBe(3);
    up = [0, 1];
    for (let asked = 0; asked < 3; asked++) await readMint(chain, MINT);
    expect(chain.reads).toBe(4);
    expect(notBys).toEqual([undefined, 0, 0, 0]);
  });

  it('becomes equal for two workers after a while, whatever they read first', async () => {
    const time = new HandTime();
    const [deceived, other] = [telling(MINT), telling(MINT)];
    const ask = async ({ chain }: { chain: MapChain }): Promise<number | string> => {
      const answer = await Promise.allSettled([readMint(chain, MINT, time)]);
      return answer[0].status === 'fulfilled' ? answer[0].value.decimals : String(answer[0].reason.code);
    };
    deceived.tell(9);
    other.tell(2);
    const first = [await ask(deceived), await ask(deceived), await ask(other), await ask(other)];
    expect(first).toEqual([9, 9, 2, 2]);
    deceived.tell(2);
    await time.pass(CONFIRMED_MS + 1);
    expect([await ask(deceived), await ask(other)]).toEqual(['MINT_FACTS_DISPUTED', 2]);
    expect([await ask(deceived), await ask(other)]).toEqual([2, 2]);
  });

  it.each(['mainnet', 'localnet'] as const)('is rejected with 20 decimals or more on %s', async (network) => {
    const { chain, tell } = telling(MINT, network);
    tell(DECIMALS_MAX);
    expect((await readMint(chain, MINT)).decimals).toBe(19);
    const above = telling(MINT, network);
    above.tell(DECIMALS_MAX + 1);
    await expect(readMint(above.chain, MINT)).rejects.toMatchObject({
      code: 'MINT_NOT_SUPPORTED',
      context: { decimals: 20 },
    });
  });
});

describe('requireHoldable', () => {
  const facts = { mint: HOLDER, decimals: 6 };

  it('rejects Token-2022 only on layout A', () => {
    requireHoldable({ ...facts, tokenProgram: TOKEN_PROGRAM }, 'a');
    requireHoldable({ ...facts, tokenProgram: TOKEN_2022_PROGRAM }, 'b');
    expect(() => requireHoldable({ ...facts, tokenProgram: TOKEN_2022_PROGRAM }, 'a')).toThrow(
      'belongs to Token-2022',
    );
  });
});
