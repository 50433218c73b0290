import { address, getAddressEncoder, getProgramDerivedAddress, type Address } from '@solana/kit';
import { expect, it } from 'vitest';
import { askRaw } from '../../src/console/testing/raw-request.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../src/programs/addresses.ts';
import { startConsole } from './running-console.ts';

const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';

const derive = async (program: string, ...seeds: string[]): Promise<Address> => {
  const bytes = seeds.map((seed) => getAddressEncoder().encode(address(seed)));
  return (await getProgramDerivedAddress({ programAddress: address(program), seeds: bytes }))[0];
};

it('returns the accounts of a wallet and the vault of a mint, as kit derives them', async () => {
  const { serviceUrl } = await startConsole({});
  const post = (body: object) =>
    askRaw(serviceUrl, '/console/api/accounts', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { text } = await post({ wallet: WALLET, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM });
  expect(JSON.parse(text)).toEqual({
    ata: await derive(ASSOCIATED_TOKEN_PROGRAM, WALLET, TOKEN_PROGRAM, USDC_MINT),
    eata: await derive(EPHEMERAL_TOKEN_PROGRAM, WALLET, USDC_MINT),
  });
  expect((await post({ wallet: 'nobody', mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM })).text).toContain(
    'INVALID_ARGUMENTS',
  );
  const state = await askRaw(serviceUrl, '/console/api/state');
  const { mints } = JSON.parse(state.text) as { mints: { mint: string; vault: string }[] };
  expect(mints.find(({ mint }) => mint === USDC_MINT)?.vault).toBe(
    await derive(EPHEMERAL_TOKEN_PROGRAM, USDC_MINT),
  );
});
