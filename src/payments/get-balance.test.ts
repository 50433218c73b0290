import { beforeEach, describe, expect, it } from 'vitest';
import { MapChain, mintData, tokenAccountData } from '../../test/ports/map-chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import type { Address } from '../solana/address.ts';
import { createGetBalance } from './balances.ts';
import { ANONYMOUS } from './operation.ts';

const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb' as Address;
const ATA = deriveAta(WALLET, USDC_MINT, TOKEN_PROGRAM).address;

let chain: MapChain;

beforeEach(() => {
  chain = new MapChain().put(USDC_MINT, { owner: TOKEN_PROGRAM, data: mintData(6) });
});

async function run(args: object = {}) {
  const operation = createGetBalance(new Clusters([chain]));
  const result = await operation.run(
    operation.input.parse({ address: WALLET, mint: USDC_MINT, ...args }),
    ANONYMOUS,
  );
  return { ...result, output: operation.output.parse(result.output) };
}

describe('spl.getBalance', () => {
  it("reads the wallet's ATA", async () => {
    chain.put(ATA, {
      owner: TOKEN_PROGRAM,
      data: tokenAccountData(USDC_MINT, WALLET, 18_446_744_073_709_551_615n),
    });
    const { output, sentences } = await run();
    expect(output).toEqual({
      notes: [expect.stringContaining(' USDC (')],
      address: WALLET,
      mint: USDC_MINT,
      ata: ATA,
      location: 'base',
      balance: '18446744073709551615',
    });
    expect(sentences[0]).toBe('Fetched the base SPL balance.');
    expect(sentences[1]).toContain('18446744073709.551615 USDC');
  });

  it('returns zero without a token account, even if lamports were sent to its address', async () => {
    expect((await run()).output.balance).toBe('0');
    chain.put(ATA, { owner: SYSTEM_PROGRAM, data: new Uint8Array() });
    expect((await run()).output.balance).toBe('0');
  });

  it('derives the ATA with the program that owns the mint', async () => {
    chain.put(USDC_MINT, { owner: TOKEN_2022_PROGRAM, data: mintData(6) });
    const ata = deriveAta(WALLET, USDC_MINT, TOKEN_2022_PROGRAM).address;
    chain.put(ata, { owner: TOKEN_2022_PROGRAM, data: tokenAccountData(USDC_MINT, WALLET, 7n) });
    expect((await run()).output).toMatchObject({ ata, balance: '7' });
  });

  it.each([
    ['truncated', new Uint8Array(100)],
    ['uninitialized', new Uint8Array(165)],
    ['of another mint', tokenAccountData(WALLET, WALLET, 7n)],
  ])('does not return zero for a %s token account', async (_, data) => {
    chain.put(ATA, { owner: TOKEN_PROGRAM, data });
    await expect(run()).rejects.toMatchObject({ code: 'ACCOUNT_UNREADABLE' });
  });

  it('rejects a mint that does not exist', async () => {
    await expect(run({ mint: WALLET })).rejects.toMatchObject({ code: 'MINT_NOT_FOUND' });
  });
});
