import { describe, expect, it } from 'vitest';
import { HOLDER } from '../../test/ports/holder.ts';
import { MapChain, mintData } from '../../test/ports/map-chain.ts';
import {
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
} from '../programs/addresses.ts';
import { addressOf, type Address } from '../solana/address.ts';
import { readMint, requireHoldable } from './mint-facts.ts';

class CountingChain extends MapChain {
  reads = 0;

  override getAccounts(addresses: readonly Address[]) {
    this.reads++;
    return super.getAccounts(addresses);
  }
}

/** A chain with USDC of SPL Token, and devnet's USDC as a mint of Token-2022. */
function chainOf(network: 'localnet' | 'mainnet'): CountingChain {
  const chain = new CountingChain();
  chain.network = network;
  chain.put(USDC_MINT, { owner: TOKEN_PROGRAM, data: mintData(6) });
  chain.put(USDC_DEVNET_MINT, { owner: TOKEN_2022_PROGRAM, data: mintData(9) });
  return chain;
}

describe('readMint', () => {
  it('tells the program and the decimals', async () => {
    const chain = chainOf('mainnet');
    expect(await readMint(chain, USDC_MINT)).toEqual({
      mint: USDC_MINT,
      tokenProgram: TOKEN_PROGRAM,
      decimals: 6,
    });
    expect(await readMint(chain, USDC_DEVNET_MINT)).toMatchObject({
      tokenProgram: TOKEN_2022_PROGRAM,
      decimals: 9,
    });
  });

  it.each([
    ['an SPL Token mint of a network once', 'mainnet', USDC_MINT, 1],
    ['a Token-2022 mint each time, since it can be closed', 'mainnet', USDC_DEVNET_MINT, 3],
    ['a mint of localnet each time, since it can be set back', 'localnet', USDC_MINT, 3],
  ] as const)('reads %s', async (_, network, mint, reads) => {
    const chain = chainOf(network);
    for (let i = 0; i < 3; i++) await readMint(chain, mint);
    expect(chain.reads).toBe(reads);
  });

  it.each([
    ['an SPL Token mint', USDC_MINT],
    ['a Token-2022 mint', USDC_DEVNET_MINT],
  ])('reads %s of a network once for callers at the same time', async (_, mint) => {
    const chain = chainOf('mainnet');
    const answers = await Promise.all(Array.from({ length: 5 }, () => readMint(chain, mint)));
    expect(new Set(answers).size).toBe(1);
    expect(chain.reads).toBe(1);
  });

  it('tells callers at the same time of a failure, and reads again for the next', async () => {
    const chain = new CountingChain();
    chain.network = 'mainnet';
    const failures = await Promise.allSettled([readMint(chain, USDC_MINT), readMint(chain, USDC_MINT)]);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    chain.put(USDC_MINT, { owner: TOKEN_PROGRAM, data: mintData(6) });
    expect((await readMint(chain, USDC_MINT)).decimals).toBe(6);
    expect(chain.reads).toBe(2);
  });

  it.each(['localnet', 'mainnet'] as const)(
    'fails on %s before whatever else was read at the same time and makes no sense without the mint',
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

  it('keeps the mints of chains apart', async () => {
    await readMint(chainOf('mainnet'), USDC_MINT);
    const other = new MapChain();
    other.network = 'mainnet';
    await expect(readMint(other, USDC_MINT)).rejects.toMatchObject({ code: 'MINT_NOT_FOUND' });
  });

  it('never remembers a failure', async () => {
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

  it('remembers no more than 1,024 mints of a chain', async () => {
    const chain = chainOf('mainnet');
    const mints = Array.from({ length: 1_025 }, (_, index) => {
      const bytes = new Uint8Array(32).fill(1);
      new DataView(bytes.buffer).setUint32(0, index);
      return addressOf(bytes);
    });
    for (const mint of mints) {
      chain.put(mint, { owner: TOKEN_PROGRAM, data: mintData(6) });
      await readMint(chain, mint);
    }
    await readMint(chain, mints[1] as Address);
    expect(chain.reads).toBe(1_025);
    await readMint(chain, mints[0] as Address);
    expect(chain.reads).toBe(1_026);
  });
});

describe('requireHoldable', () => {
  const facts = { mint: HOLDER, decimals: 6 };

  it('refuses Token-2022 on layout A alone', () => {
    requireHoldable({ ...facts, tokenProgram: TOKEN_PROGRAM }, 'a');
    requireHoldable({ ...facts, tokenProgram: TOKEN_2022_PROGRAM }, 'b');
    expect(() => requireHoldable({ ...facts, tokenProgram: TOKEN_2022_PROGRAM }, 'a')).toThrow(
      'belongs to Token-2022',
    );
  });
});
