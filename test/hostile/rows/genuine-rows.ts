import { NATIVE_MINT, TOKEN_PROGRAM, USDC_MINT } from '../../../src/programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../../src/programs/associated-token.ts';
import { transferLamports } from '../../../src/programs/system.ts';
import { syncNative } from '../../../src/programs/token/instructions.ts';
import { usdcOf } from '../extras/eata-program.ts';
import { CLEAR, type Row } from '../row.ts';
import { aloneOf, build, type Built, type HostName, HOSTS, ON_ROLLUP } from '../world/hosts.ts';
import { newcomer, type World } from '../world/world.ts';

const genuine = (name: string, make: (world: World) => Promise<Built>): Row => ({
  name: `${name}, as it is built`,
  make,
  alone: CLEAR,
  asked: ['yes'],
});

const depositOf = (what: string, options: object): Row =>
  genuine(`a first deposit ${what}`, async (world) => {
    const { address: owner } = await newcomer(world);
    return await build(world, 'deposit', { owner, amount: 1_000_000, ...options });
  });

const transferOf = (what: string, options: (world: World) => object): Row =>
  genuine(`a transfer ${what}`, async (world) => {
    const [{ address: from }, { address: to }] = [await newcomer(world), await newcomer(world)];
    const args = { from, to, mint: USDC_MINT, amount: 1_000_000, visibility: 'public', ...options(world) };
    return await build(world, 'transfer', args);
  });

const onRollup = (what: string, options: object): Row =>
  genuine(`a payment on the rollup ${what}`, (world) => {
    const parties = { from: world.dora.address, to: world.bob.address, mint: USDC_MINT };
    return build(world, 'transfer', { ...parties, amount: '12345', ...ON_ROLLUP, ...options });
  });

const wrapped = genuine('a deposit of wrapped SOL', async (world) => {
  const wallet = await newcomer(world);
  const { address: owner } = wallet;
  const place = { payer: owner, owner, mint: NATIVE_MINT, tokenProgram: TOKEN_PROGRAM };
  const ata = deriveAta(owner, NATIVE_MINT, TOKEN_PROGRAM).address;
  await world.scene.land(
    wallet,
    createAtaIdempotent({ ...place, ata }),
    transferLamports(owner, ata, 1_000_000_000n),
    syncNative(TOKEN_PROGRAM, ata),
  );
  return await build(world, 'deposit', { owner, mint: NATIVE_MINT, amount: 500_000_000 });
});

const withdrawalOf = (what: string, options: object): Row =>
  genuine(`a withdrawal ${what}`, (world) =>
    build(world, 'withdraw', { owner: world.alice.address, mint: USDC_MINT, amount: 1, ...options }),
  );

/** Unchanged transactions of the operations, which must not raise an alarm. */
export const GENUINE_ROWS: readonly Row[] = [
  ...(Object.keys(HOSTS) as HostName[]).map((host) => ({
    ...genuine(host, HOSTS[host]),
    alone: aloneOf(host),
    isClearAsAsked: true,
  })),
  depositOf('in private', {}),
  depositOf('for all to see', { private: false }),
  depositOf('by the letter', {
    initIfMissing: true,
    initAtasIfMissing: true,
    initVaultIfMissing: true,
    private: true,
  }),
  depositOf('of the mint by name', { mint: USDC_MINT, idempotent: false }),
  depositOf('of all there is', { amount: '10000000' }),
  wrapped,
  transferOf('as plain as can be', () => ({})),
  transferOf('with a memo', () => ({ memo: 'Order 1042, thank you' })),
  transferOf('that makes sure of the recipient', () => ({ initRecipientAta: true })),
  transferOf('that makes sure of everything', () => ({
    initRecipientAta: true,
    initAtasIfMissing: true,
    initVaultIfMissing: true,
  })),
  transferOf('with a platform fee on top', ({ bob }) => ({
    platformFeeBps: 250,
    platformFeeAccount: usdcOf(bob.address).ownerAta,
  })),
  transferOf('with a platform fee out of it', ({ bob }) => ({
    platformFeeBps: 250,
    platformFeeAccount: usdcOf(bob.address).ownerAta,
    exactOut: false,
  })),
  onRollup('for all to see', {}),
  onRollup('in private', { visibility: 'private' }),
  onRollup('with a memo', { memo: 'Order 1042' }),
  withdrawalOf('of one base unit', {}),
  withdrawalOf('that makes sure of her account', { initAtasIfMissing: true }),
];
