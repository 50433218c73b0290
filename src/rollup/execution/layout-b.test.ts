import { afterEach, describe, expect, it } from 'vitest';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { BooksView } from '../books/books.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../testing/layout-b-genesis.ts';
import { openLayoutBScene, type LayoutBOptions, type LayoutBScene } from '../testing/layout-b-scene.ts';

let scene: LayoutBScene;
afterEach(() => scene.close());

/** The rollup with its mint made ready. */
async function open(options: LayoutBOptions = {}): Promise<LayoutBScene> {
  scene = await openLayoutBScene(new CrashStores().open(), options);
  await scene.initializeMint();
  return scene;
}

/** What the rollup has taken upon itself. */
const books = (): BooksView =>
  new BooksView({
    get: (address) => scene.rollup.getAccount(address) ?? undefined,
    ownedBy: (program) => scene.rollup.programAccounts(program),
  });

describe.skipIf(LAYOUT_B_FOLDER === null)(`layout B on the rollup (${NO_LAYOUT_B})`, () => {
  it('shows a delegated queue as its program’s, and schedules the task that pays out of it', async () => {
    await open();
    expect(scene.rollup.getAccount(scene.queue)?.owner).toBe(EPHEMERAL_TOKEN_PROGRAM);
    const [task, ...others] = books().tasks();
    expect(others).toEqual([]);
    expect(task).toMatchObject({ authority: scene.queue, intervalMs: 500 });
    expect(scene.queueState?.crankTaskId).toBe(task?.taskId);
    expect(task?.instructions.map(({ data }) => [...data])).toEqual([[203]]);
  });

  it('unloads a shuttle in the commit that takes it in, and asks for it to be closed', async () => {
    await open();
    const alice = await scene.wallet(100n);
    await scene.must(scene.base, alice, ...scene.deposit(alice, 60n));
    // Base tells the rollup before it tells whoever sent the deposit.
    expect(scene.tokens(scene.rollup, alice.address)).toBe(60n);
    expect(scene.eataTokens(scene.rollup, alice.address)).toBe(60n);
    const shuttle = scene.shuttleOf(alice.address);
    expect(scene.tokens(scene.rollup, shuttle.metadata)).toBe(0n);
    expect(scene.rollup.delegationStatus(shuttle.walletAta)).toEqual({
      isDelegated: true,
      isUndelegating: true,
    });
  });

  it('adds a second shuttle to what a wallet has', async () => {
    await open();
    const alice = await scene.wallet(100n);
    await scene.must(scene.base, alice, ...scene.deposit(alice, 60n));
    await scene.must(scene.base, alice, ...scene.deposit(alice, 40n));
    expect(scene.tokens(scene.rollup, alice.address)).toBe(100n);
  });

  it('pays a deposit to another wallet, which has nothing on the rollup yet', async () => {
    await open();
    const alice = await scene.wallet(100n);
    const bob = await scene.wallet();
    await scene.must(scene.base, alice, ...scene.deposit(alice, 60n, bob.address));
    expect(scene.tokens(scene.rollup, bob.address)).toBe(60n);
  });
});
