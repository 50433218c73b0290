import { address } from '@solana/kit';
import { createMint, TOKEN } from './mint.ts';
import type { Network, NetworkMint } from './network.ts';

const TOKEN_2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');

/** The mints of this life, all initialized for private payments. */
export interface Mints {
  readonly usdc: NetworkMint;
  readonly freezable: NetworkMint;
  readonly token2022: NetworkMint;
  readonly sol: NetworkMint;
}

const USDC: NetworkMint = {
  name: 'USDC',
  address: address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  decimals: 6,
  tokenProgram: TOKEN,
};

const SOL: NetworkMint = {
  name: 'SOL',
  address: address('So11111111111111111111111111111111111111112'),
  decimals: 9,
  tokenProgram: TOKEN,
};

/** Creates two mints, and initializes all mints. */
export async function makeMints(network: Network): Promise<Mints> {
  const { wallet } = network.operator;
  const make = async (name: string, terms: object): Promise<NetworkMint> => ({
    tokenProgram: TOKEN,
    ...terms,
    name,
    address: await createMint(network.ledgerUrl, wallet, { decimals: 6, amount: 0n, owners: [], ...terms }),
    decimals: 6,
  });
  const mints = {
    usdc: USDC,
    freezable: await make('FRZ', { isFreezable: true }),
    token2022: await make('T22', { tokenProgram: TOKEN_2022 }),
    sol: SOL,
  };
  for (const mint of Object.values(mints)) {
    const args = { payer: wallet.address, mint: mint.address };
    await network.do(network.operator, 'spl.initializeMint', args);
    if (network.isExternal) await network.startQueue(mint);
  }
  return mints;
}
