import type { Keypair } from '../../../src/ledger/keypair.ts';
import { USDC_MINT } from '../../../src/programs/addresses.ts';
import { openPaymentScene, type PaymentScene } from '../../../src/rollup/testing/payment-scene.ts';
import type { Address } from '../../../src/solana/address.ts';
import { equip, type Kit } from './kit.ts';

/** A localnet with the real programs and several wallets. */
export interface World {
  readonly scene: PaymentScene;
  /** Has USDC on base, and some in the vault that she can withdraw. Her other accounts are in the kit. */
  readonly alice: Keypair;
  /** Receives payments; has USDC on base and on the rollup. */
  readonly bob: Keypair;
  /** Has USDC on the rollup that anyone can see. */
  readonly dora: Keypair;
  /** Has USDC on the rollup that only he can see. */
  readonly paul: Keypair;
  /** Paul's bearer token. */
  readonly paulsToken: string;
  /** Must never be paid; has USDC on both ledgers. */
  readonly thief: Keypair;
  readonly kit: Kit;
  readonly close: () => Promise<void>;
}

/** Initial USDC balance on base, in base units. */
const STARTING_BALANCE = 10_000_000n;

export async function openWorld(): Promise<World> {
  const scene = await openPaymentScene();
  // Old enough for a deactivated lookup table to be closable (Agave `MAX_ENTRIES` of slot hashes: 512).
  scene.pass(600 * scene.base.slotMs);
  const person = async (): Promise<Keypair> => {
    const wallet = await scene.wallet();
    await scene.base.airdropTokens(wallet.address, USDC_MINT, STARTING_BALANCE);
    return wallet;
  };
  const [alice, bob, dora, paul, thief] = [
    await person(),
    await person(),
    await person(),
    await person(),
    await person(),
  ];
  const deposit = (wallet: Keypair, isPrivate: boolean) =>
    scene.do(wallet, 'deposit', { owner: wallet.address, amount: 3_000_000, private: isPrivate });
  for (const wallet of [alice, bob, dora, thief]) await deposit(wallet, false);
  await deposit(paul, true);
  await scene.do(alice, 'undelegate', { payer: alice.address, mint: USDC_MINT });
  await scene.rollup.settled();
  const paulsToken = await scene.logIn(paul);
  const kit = await equip(scene, alice, thief);
  return { scene, alice, bob, dora, paul, paulsToken, thief, kit, close: () => scene.close() };
}

/** Creates a wallet with 10 SOL and USDC that no other row uses. */
export async function newcomer({ scene }: World, amount = STARTING_BALANCE, mint: Address = USDC_MINT) {
  const wallet = await scene.wallet();
  await scene.base.airdropTokens(wallet.address, mint, amount);
  return wallet;
}
