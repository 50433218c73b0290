import { checkEqual } from '../report.ts';
import type { Mints } from '../mints.ts';
import type { Network, NetworkMint } from '../network.ts';
import { feeOf, pay, timed } from '../payment.ts';

const AMOUNT = 700_003n;
/** 0.2 of the stablecoin. */
const RELAY_FEE = 200_000n;

/** Alice, who has no lamports, pays Bob; the service's sponsor pays for it and takes its fee. */
export async function payGasless(network: Network, { usdc }: Mints): Promise<void> {
  const fee = feeOf(AMOUNT);
  const alice = await network.pauper('Alice');
  await network.fund(alice.address, usdc, AMOUNT + fee + RELAY_FEE);
  const bob = await network.person('Bob', usdc, 1n);
  await network.fund(network.sponsor, usdc, 1n);
  const before = await tokensOfSponsor(network, usdc);
  await timed('payment', async () => {
    const payment = { from: alice, to: bob.address, mint: usdc, amount: AMOUNT, fee, relayFee: RELAY_FEE };
    await pay(network, { ...payment, options: { gasless: true } });
    await network.expect(bob, usdc, { base: 1n + AMOUNT, rollup: 0n });
  });
  await network.expect(alice, usdc, { base: 0n, rollup: 0n });
  await network.expectLamports(alice, 0n);
  checkEqual('the sponsor has got', (await tokensOfSponsor(network, usdc)) - before, RELAY_FEE);
}

async function tokensOfSponsor(network: Network, { address: mint }: NetworkMint): Promise<bigint> {
  const asked = { address: network.sponsor, mint };
  return BigInt((await network.operator.call<{ balance: string }>('spl.getBalance', asked)).balance);
}
