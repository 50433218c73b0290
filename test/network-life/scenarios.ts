import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import { freezeAta } from './mint.ts';
import type { Mints } from './mints.ts';
import { WALLET_LAMPORTS, type Network, type NetworkMint } from './network.ts';
import { feeOf, pay, timed } from './payment.ts';
import { Refused, type Built, type Person } from './person.ts';
import { checkEqual } from './report.ts';

/** A use case of private payments. */
export interface Scenario {
  readonly title: string;
  readonly play: (network: Network, mints: Mints) => Promise<void>;
}

/** All scenarios in their order. */
export const SCENARIOS: readonly Scenario[] = [
  { title: 'A deposit by shuttle, and a top-up', play: depositAndTopUp },
  { title: 'A private payment from base to base', play: payInOnePart },
  { title: 'A private payment in three parts, with delays', play: payInParts },
  { title: 'A private payment to a wallet without an account', play: payNewWallet },
  { title: 'A private payment to a stealth handle with two keys', play: payStealthHandle },
  { title: 'A payment from the rollup to base', play: payFromRollupToBase },
  { title: 'A payment from base to the rollup', play: payFromBaseToRollup },
  { title: 'Tokens of Token-2022', play: liveWithToken2022 },
  { title: 'Native SOL', play: liveWithSol },
  { title: 'A gasless payment', play: payGasless },
  { title: 'A frozen recipient: the payment is refunded', play: payFrozenAccount },
  { title: 'A withdrawal by shuttle', play: withdrawByShuttle },
  { title: 'An undelegation, and a direct withdrawal', play: undelegateAndWithdraw },
];

const SETTLEMENT_MS_MAX = 30_000;

/**
 * Error codes of a withdrawal during a settlement. An external rollup does not report that it is settling.
 */
const UNDER_WAY = new Set(['EATA_SETTLING', 'EATA_ALREADY_DELEGATED']);

/** Alice deposits, then adds to the deposit while it is on the rollup. */
async function depositAndTopUp(network: Network, { usdc }: Mints): Promise<void> {
  const funds = 3_000_019n;
  const first = 1_500_011n;
  const more = 250_003n;
  const alice = await network.person('Alice', usdc, funds);
  await timed('deposit', async () => {
    await deposit(network, alice, usdc, first);
    await network.expect(alice, usdc, { base: funds - first, rollup: first });
  });
  await timed('top-up', async () => {
    await deposit(network, alice, usdc, more);
    await network.expect(alice, usdc, { base: funds - first - more, rollup: first + more });
  });
}

/** Deposits a person's tokens. */
async function deposit(network: Network, owner: Person, mint: NetworkMint, amount: bigint): Promise<void> {
  const args = { owner: owner.address, mint: mint.address, amount: amount.toString() };
  await network.do(owner, 'spl.deposit', args);
}

/** Alice pays Bob from wallet to wallet. Observers cannot see the recipient. */
async function payInOnePart(network: Network, { usdc }: Mints): Promise<void> {
  const paid = 1_000_000n;
  const bobHas = 7n;
  const fee = feeOf(paid);
  const alice = await network.person('Alice', usdc, paid + fee + 5n);
  const bob = await network.person('Bob', usdc, bobHas);
  await timed('payment', async () => {
    await pay(network, { from: alice, to: bob.address, mint: usdc, amount: paid, fee });
    await network.expect(bob, usdc, { base: bobHas + paid, rollup: 0n });
  });
  await network.expect(alice, usdc, { base: 5n, rollup: 0n });
}

/** Alice pays Bob in three parts with different delays. */
async function payInParts(network: Network, { usdc }: Mints): Promise<void> {
  const paid = 1_000_003n;
  const minDelayMs = 700;
  const fee = feeOf(paid);
  const alice = await network.person('Alice', usdc, paid + fee);
  const bob = await network.person('Bob', usdc, 1n);
  const options = { split: 3, minDelayMs, maxDelayMs: 2_000, clientRefId: '42' };
  const ms = await timed('payment', async () => {
    await pay(network, { from: alice, to: bob.address, mint: usdc, amount: paid, fee, options });
    await network.expect(bob, usdc, { base: 1n + paid, rollup: 0n });
  });
  if (ms < minDelayMs) throw new Error(`the payment was to be held back for ${minDelayMs} ms`);
  await network.expect(alice, usdc, { base: 0n, rollup: 0n });
}

/** Alice pays a wallet without a token account or lamports. */
async function payNewWallet(network: Network, { usdc }: Mints): Promise<void> {
  const paid = 333_333n;
  const fee = feeOf(paid);
  const alice = await network.person('Alice', usdc, paid + fee);
  const newcomer = await network.pauper('Newcomer');
  await timed('payment', async () => {
    await pay(network, { from: alice, to: newcomer.address, mint: usdc, amount: paid, fee });
    await network.expect(newcomer, usdc, { base: paid, rollup: 0n });
  });
  await network.expectLamports(newcomer, 0n);
  await network.expect(alice, usdc, { base: 0n, rollup: 0n });
}

/** Pat creates a handle for two wallets, and Alice pays the handle. */
async function payStealthHandle(network: Network, { usdc }: Mints): Promise<void> {
  const paid = 800_001n;
  const arrivalMsMax = 30_000;
  const fee = feeOf(paid);
  const alice = await network.person('Alice', usdc, paid + fee);
  const pat = await network.person('Pat');
  const keys = [await network.pauper('Key 1'), await network.pauper('Key 2')];
  const handle = `pat-${pat.address.slice(0, 8)}`;
  const destinations = keys.map(({ address }) => address);
  const args = { payer: pat.address, authority: pat.address, handle, destinations, splitAcrossKeys: true };
  // The service requires a token, because rollups hide pools. A rollup without logins accepts any token.
  const pool = await pat.call<Built & { readonly setupTransaction: Built }>(
    'spl.createStealthPool',
    args,
    network.isExternal ? 'unchecked' : 'myself',
  );
  await network.send(pat, pool.setupTransaction);
  await network.send(pat, pool);
  await timed('payment', async () => {
    await pay(network, { from: alice, to: handle, mint: usdc, amount: paid, fee, options: { split: 4 } });
    checkEqual('both keys together', await sumOf(), paid);
  });
  // The distribution among the keys is random. From now on, it must not change.
  for (const key of keys) {
    await network.expect(key, usdc, { base: await network.tokens(key, usdc, 'base'), rollup: 0n });
  }
  await network.expect(alice, usdc, { base: 0n, rollup: 0n });

  async function sumOf(): Promise<bigint> {
    const until = performance.now() + arrivalMsMax;
    for (;;) {
      const amounts = await Promise.all(keys.map((key) => network.tokens(key, usdc, 'base')));
      const sum = amounts.reduce((so, amount) => so + amount, 0n);
      if (sum >= paid || performance.now() > until) return sum;
      await sleep(20);
    }
  }
}

/** Alice pays Bob's wallet on base from her balance on the rollup. */
async function payFromRollupToBase(network: Network, { usdc }: Mints): Promise<void> {
  const deposited = 900_007n;
  const paid = 400_001n;
  const alice = await network.person('Alice', usdc, deposited);
  const bob = await network.person('Bob', usdc, 3n);
  await deposit(network, alice, usdc, deposited);
  await network.expect(alice, usdc, { base: 0n, rollup: deposited });
  const options = { fromBalance: 'ephemeral', toBalance: 'base', visibility: 'private' };
  await timed('payment', async () => {
    await pay(network, { from: alice, to: bob.address, mint: usdc, amount: paid, options });
    await network.expect(bob, usdc, { base: 3n + paid, rollup: 0n });
  });
  await network.expect(alice, usdc, { base: 0n, rollup: deposited - paid });
}

/** Alice pays Bob from her wallet to the rollup, where he had no balance. */
async function payFromBaseToRollup(network: Network, { usdc }: Mints): Promise<void> {
  const funds = 600_005n;
  const paid = 500_001n;
  const alice = await network.person('Alice', usdc, funds);
  const bob = await network.pauper('Bob');
  const options = { toBalance: 'ephemeral', initIfMissing: true };
  await timed('payment', async () => {
    await pay(network, { from: alice, to: bob.address, mint: usdc, amount: paid, options });
    await network.expect(bob, usdc, { base: 0n, rollup: paid });
  });
  await network.expect(alice, usdc, { base: funds - paid, rollup: 0n });
}

/** Tokens of the Token-2022 program are deposited, paid privately and withdrawn. */
async function liveWithToken2022(network: Network, { token2022: mint }: Mints): Promise<void> {
  const funds = 5_000_000n;
  const deposited = 2_000_001n;
  const paid = 1_000_001n;
  const back = 600_003n;
  const fee = feeOf(paid);
  const alice = await network.person('Alice', mint, funds);
  const bob = await network.pauper('Bob');
  await deposit(network, alice, mint, deposited);
  await network.expect(alice, mint, { base: funds - deposited, rollup: deposited });
  await timed('payment', async () => {
    await pay(network, { from: alice, to: bob.address, mint, amount: paid, fee });
    await network.expect(bob, mint, { base: paid, rollup: 0n });
  });
  const left = funds - deposited - paid - fee;
  await network.expect(alice, mint, { base: left, rollup: deposited });
  const args = { owner: alice.address, mint: mint.address, amount: back.toString() };
  await network.do(alice, 'spl.withdraw', args);
  await network.expect(alice, mint, { base: left + back, rollup: deposited - back });
}

/** SOL is wrapped during a deposit and unwrapped during a withdrawal. */
async function liveWithSol(network: Network, { sol }: Mints): Promise<void> {
  const paid = 1_000_000_007n;
  const deposited = 900_000_011n;
  const back = 400_000_003n;
  /** Cost of a shuttle and one signature, in lamports. */
  const withdrawalLamports = 500_000n + 5_000n;
  const fee = feeOf(paid);
  const alice = await network.person('Alice');
  const bob = await network.person('Bob');
  await timed('payment', async () => {
    const options = { initAtasIfMissing: true };
    await pay(network, { from: alice, to: bob.address, mint: sol, amount: paid, fee, options });
    await network.expectLamports(bob, WALLET_LAMPORTS + paid);
  });
  await network.expect(bob, sol, { base: 0n, rollup: 0n });
  const terms = { owner: alice.address, mint: sol.address };
  await network.do(alice, 'spl.deposit', { ...terms, amount: deposited.toString() });
  await network.expect(alice, sol, { base: 0n, rollup: deposited });
  const before = await network.lamportsOf(alice.address);
  await network.do(alice, 'spl.withdraw', { ...terms, amount: back.toString() });
  await network.expectLamports(alice, before + back - withdrawalLamports);
  await network.expect(alice, sol, { base: 0n, rollup: deposited - back });
}

/** Alice pays Bob without lamports. The service's sponsor pays the costs and takes its fee. */
async function payGasless(network: Network, { usdc }: Mints): Promise<void> {
  const paid = 700_003n;
  /** 0.2 of the stablecoin. */
  const relayFee = 200_000n;
  const fee = feeOf(paid);
  const alice = await network.pauper('Alice');
  await network.fund(alice.address, usdc, paid + fee + relayFee);
  const bob = await network.person('Bob', usdc, 1n);
  await network.fund(network.sponsor, usdc, 1n);
  const before = await tokensOfSponsor(network, usdc);
  await timed('payment', async () => {
    const payment = { from: alice, to: bob.address, mint: usdc, amount: paid, fee, relayFee };
    await pay(network, { ...payment, options: { gasless: true } });
    await network.expect(bob, usdc, { base: 1n + paid, rollup: 0n });
  });
  await network.expect(alice, usdc, { base: 0n, rollup: 0n });
  await network.expectLamports(alice, 0n);
  checkEqual('the sponsor has got', (await tokensOfSponsor(network, usdc)) - before, relayFee);
}

async function tokensOfSponsor(network: Network, { address: mint }: NetworkMint): Promise<bigint> {
  const asked = { address: network.sponsor, mint };
  return BigInt((await network.operator.call<{ balance: string }>('spl.getBalance', asked)).balance);
}

/** Bob's token account is frozen, so Alice gets her tokens back without the fee. */
async function payFrozenAccount(network: Network, { freezable: mint }: Mints): Promise<void> {
  const paid = 1_000_009n;
  const fee = feeOf(paid);
  const alice = await network.person('Alice', mint, paid + fee);
  const bob = await network.person('Bob', mint, 1n);
  const account = { owner: bob.address as Address, mint: mint.address };
  await freezeAta(network.ledgerUrl, network.operator.wallet, account);
  await timed('refund', async () => {
    await pay(network, { from: alice, to: bob.address, mint, amount: paid, fee });
    await network.expect(alice, mint, { base: paid, rollup: 0n });
  });
  await network.expect(bob, mint, { base: 1n, rollup: 0n });
}

/** Alice withdraws a part of her balance on the rollup. The rest stays there. */
async function withdrawByShuttle(network: Network, { usdc }: Mints): Promise<void> {
  const funds = 2_000_003n;
  const back = 700_001n;
  const alice = await network.person('Alice', usdc, funds);
  await deposit(network, alice, usdc, funds);
  await network.expect(alice, usdc, { base: 0n, rollup: funds });
  await timed('withdrawal', async () => {
    const args = { owner: alice.address, mint: usdc.address, amount: back.toString() };
    await network.do(alice, 'spl.withdraw', args);
    await network.expect(alice, usdc, { base: back, rollup: funds - back });
  });
}

/** Alice undelegates her balance and withdraws it from the vault. */
async function undelegateAndWithdraw(network: Network, { usdc }: Mints): Promise<void> {
  const funds = 1_200_011n;
  /** The rest in the undelegated ephemeral token account. */
  const kept = 9n;
  const alice = await network.person('Alice', usdc, funds);
  await deposit(network, alice, usdc, funds);
  await network.expect(alice, usdc, { base: 0n, rollup: funds });
  await timed('undelegation and withdrawal', async () => {
    await network.do(alice, 'spl.undelegate', { payer: alice.address, mint: usdc.address });
    const amount = (funds - kept).toString();
    const args = { owner: alice.address, mint: usdc.address, amount, idempotent: false };
    await network.send(alice, await builtOnceSettled(alice, args));
    await network.expect(alice, usdc, { base: funds - kept, rollup: 0n });
  });
}

/** Builds a withdrawal from the vault. Retries while it is rejected because of the settlement. */
async function builtOnceSettled(person: Person, args: object): Promise<Built> {
  const until = performance.now() + SETTLEMENT_MS_MAX;
  for (;;) {
    try {
      return await person.call<Built>('spl.withdraw', args);
    } catch (error) {
      const isUnderWay = error instanceof Refused && UNDER_WAY.has(error.code ?? '');
      if (!isUnderWay || performance.now() > until) throw error;
    }
    await sleep(20);
  }
}
