import { afterEach, describe, expect, it } from 'vitest';
import { mintAccount } from '../../ledger/genesis/genesis.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import { NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { createAtaIdempotent } from '../../programs/associated-token.ts';
import { transferLamports } from '../../programs/system.ts';
import { syncNative } from '../../programs/token/instructions.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { LAYOUT_B_FOLDER } from '../testing/layout-b-genesis.ts';
import { type LayoutBScene, openLayoutBScene } from '../testing/layout-b-scene.ts';

const PAID = 1_000_000n;
const FEE = 1_000n;
const IDLE = { pending: 0, stalled: 0, halted: [] };

describe.skipIf(LAYOUT_B_FOLDER === null)('private payments', () => {
  let scene: LayoutBScene;
  const errors: string[] = [];
  const logger: Logger = { ...silentLogger, error: (_, message) => errors.push(message) };
  afterEach(async () => {
    await scene.close();
    expect(errors).toEqual([]);
  });

  const pay = async (from: Keypair, to: Address): Promise<void> => {
    await scene.must(scene.base, from, ...scene.privateTransfer(from, to, PAID));
    await scene.rollup.settled();
  };
  const vaultAndQueue = () => [scene.vaultTokens(), scene.tokens(scene.rollup, scene.queue)];

  it('of a Token-2022 mint arrive complete', async () => {
    const mint = addressOf(new Uint8Array(32).fill(99));
    scene = await openLayoutBScene(new CrashStores().open(), {
      logger,
      mint,
      tokenProgram: TOKEN_2022_PROGRAM,
    });
    const { base } = scene;
    await base.setAccounts([[mint, { ...mintAccount(base.faucet, 6), owner: TOKEN_2022_PROGRAM }]]);
    await scene.initializeMint();
    const [alice, bob] = [await scene.wallet(PAID + FEE), await scene.wallet()] as const;
    await pay(alice, bob.address);
    expect(scene.tokens(base, bob.address)).toBe(PAID);
    expect(vaultAndQueue()).toEqual([FEE, FEE]);
    expect(scene.rollup.settlement).toEqual(IDLE);
  });

  it('of SOL arrive as lamports, and the rest on the rollup can be withdrawn', async () => {
    scene = await openLayoutBScene(new CrashStores().open(), { logger, mint: NATIVE_MINT });
    const { base, rollup } = scene;
    await scene.initializeMint();
    const [alice, bob] = [await scene.wallet(), await scene.wallet()] as const;
    const wrap = async (lamports: bigint): Promise<void> => {
      const [payer, ata] = [alice.address, scene.ataOf(alice.address)];
      await scene.must(
        base,
        alice,
        createAtaIdempotent({
          payer,
          ata,
          owner: payer,
          mint: NATIVE_MINT,
          tokenProgram: TOKEN_PROGRAM,
        }),
        transferLamports(payer, ata, lamports),
        syncNative(TOKEN_PROGRAM, ata),
      );
    };
    const lamportsOf = (address: Address): bigint => base.getAccount(address)?.lamports ?? 0n;
    await wrap(PAID + FEE);
    const before = lamportsOf(bob.address);
    await pay(alice, bob.address);
    expect(lamportsOf(bob.address) - before).toBe(PAID);
    expect(vaultAndQueue()).toEqual([FEE, FEE]);

    await wrap(500_000n);
    await scene.must(base, alice, ...scene.deposit(alice, 500_000n));
    await rollup.settled();
    expect(scene.tokens(rollup, alice.address)).toBe(500_000n);
    const held = lamportsOf(alice.address) + lamportsOf(scene.ataOf(alice.address));
    await scene.must(base, alice, ...scene.withdrawal(alice, 200_000n));
    const sent = held - lamportsOf(alice.address) - lamportsOf(scene.ataOf(alice.address));
    await rollup.settled();
    const back = lamportsOf(alice.address) + lamportsOf(scene.ataOf(alice.address)) + sent - held;
    expect(back).toBe(200_000n);
    expect(scene.tokens(rollup, alice.address)).toBe(300_000n);
    expect(scene.vaultTokens()).toBe(300_000n + FEE);
    expect(rollup.settlement).toEqual(IDLE);
  });
});
