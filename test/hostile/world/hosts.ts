import { USDC_MINT } from '../../../src/programs/addresses.ts';
import { CAUTION, CLEAR, type Offer, type Verdict } from '../row.ts';
import type { World } from './world.ts';

/** A built offer with its request. */
export type Built = Offer & Required<Pick<Offer, 'sendTo' | 'request'>>;

export const ON_ROLLUP = { fromBalance: 'ephemeral', toBalance: 'ephemeral', visibility: 'public' } as const;

/** Builds with an operation. The offer includes the request. */
export async function build(
  { scene }: World,
  operation: string,
  args: object,
  token?: string,
): Promise<Built> {
  const { output } = await scene.call(operation, args, token);
  const recentBlockhash = String(output['recentBlockhash']);
  return {
    transactionBase64: output.transactionBase64,
    sendTo: output.sendTo,
    request: { operation, arguments: args, recentBlockhash },
    ...(token === undefined ? {} : { token }),
  };
}

/** The genuine transactions that all other rows modify. */
export const HOSTS = {
  deposit: (world) => build(world, 'deposit', { owner: world.alice.address, amount: 1_000_000 }),
  withdraw: (world) =>
    build(world, 'withdraw', { owner: world.alice.address, mint: USDC_MINT, amount: 1_000_000 }),
  transfer: (world) =>
    build(world, 'transfer', {
      from: world.alice.address,
      to: world.bob.address,
      mint: USDC_MINT,
      amount: 1_000_000,
      visibility: 'public',
    }),
  rollupTransfer: (world) =>
    build(world, 'transfer', {
      from: world.dora.address,
      to: world.bob.address,
      mint: USDC_MINT,
      amount: 1_000_000,
      ...ON_ROLLUP,
    }),
  privateRollupTransfer: (world) =>
    build(
      world,
      'transfer',
      {
        from: world.paul.address,
        to: world.bob.address,
        mint: USDC_MINT,
        amount: 1_000_000,
        ...ON_ROLLUP,
        visibility: 'private',
      },
      world.paulsToken,
    ),
  undelegate: (world) => build(world, 'undelegate', { payer: world.dora.address, mint: USDC_MINT }),
} satisfies Record<string, (world: World) => Promise<Built>>;

export type HostName = keyof typeof HOSTS;

/** Returns the verdict on a host without a request. An undelegation reveals a private balance on base. */
export const aloneOf = (host: HostName): readonly Verdict[] => (host === 'undelegate' ? CAUTION : CLEAR);

/** Returns the wallet whose signature a host needs. */
export const signerOf = (world: World, host: HostName): World['alice'] => {
  if (host === 'privateRollupTransfer') return world.paul;
  return host === 'rollupTransfer' || host === 'undelegate' ? world.dora : world.alice;
};
