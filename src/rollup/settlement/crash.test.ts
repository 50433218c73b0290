import { describe, expect, it } from 'vitest';
import type { Keypair } from '../../ledger/keypair.ts';
import { HandClock } from '../../ledger/testing/hand-clock.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { CrashStores, type Write } from '../testing/crash-stores.ts';
import { accountsOf, openScene, type RollupScene } from '../testing/rollup-scene.ts';

/**
 * Each scenario runs once, recording every write of both ledgers in the order in which it became durable.
 * Then both ledgers are opened with each prefix of the writes, which is the state after a crash.
 */

type Written = readonly Write[];

const DEPOSIT = 1_000n;

/** The claims of all wallets on base in the end, whatever was in progress. */
function claims(scene: RollupScene, wallets: readonly Keypair[]): bigint {
  const { base, rollup } = scene;
  let sum = 0n;
  for (const { address } of wallets) {
    const isHere = rollup.projectionAt(accountsOf(address).eata) !== null;
    sum += scene.tokens(base, address) ?? 0n;
    sum += (isHere ? scene.tokens(rollup, address) : scene.eataTokens(base, address)) ?? 0n;
  }
  return sum;
}

/** The amounts of the eATAs on base, which may be higher than on the rollup for those that stayed there. */
function owedOnBase(scene: RollupScene, wallets: readonly Keypair[]): bigint {
  return wallets.reduce((sum, { address }) => sum + (scene.eataTokens(scene.base, address) ?? 0n), 0n);
}

/** Withdraws everything from the rollup and then from the vault. */
async function takeOut(scene: RollupScene, wallets: readonly Keypair[]): Promise<bigint> {
  const { base, rollup } = scene;
  for (const wallet of wallets) {
    const { eata } = accountsOf(wallet.address);
    if (rollup.projectionAt(eata) !== null) await scene.must(rollup, wallet, scene.undelegation(wallet));
  }
  await rollup.settled();
  let sum = 0n;
  for (const wallet of wallets) {
    const amount = scene.eataTokens(base, wallet.address) ?? 0n;
    if (amount > 0n) await scene.must(base, wallet, scene.withdrawal(wallet, amount));
    sum += scene.tokens(base, wallet.address) ?? 0n;
  }
  return sum;
}

/**
 * The state if base was faster: the rollup lost the end of an undelegation and everything after it, while
 * base kept everything up to the point where the rollup would have had to write.
 */
function withLostEnds(written: Written, from: number, { address }: Keypair): Written[] {
  const isEnd = ({ of, commit }: Written[number]): boolean =>
    of === 'rollup' && (commit.accounts ?? []).some(([, { lamports }]) => lamports === 0n);
  const isSettlement = ({ of, commit: { record } }: Written[number]): boolean =>
    of === 'base' && record !== undefined && decodeTransaction(record.wire).staticKeys[0] === address;
  return written.flatMap((write, at) => {
    if (at < from || !isEnd(write)) return [];
    const rest = written.slice(at);
    const next = rest.findIndex(isSettlement);
    const ofBase = (next < 0 ? rest : rest.slice(0, next)).filter(({ of }) => of === 'base');
    return [[...written.slice(0, at), ...ofBase]];
  });
}

async function crashEverywhere(
  live: (scene: RollupScene, wallets: readonly [Keypair, Keypair, Keypair]) => Promise<void>,
  check: (scene: RollupScene, wallets: readonly Keypair[]) => void = () => undefined,
): Promise<number> {
  const clock = new HandClock();
  const stores = new CrashStores();
  const scene = await openScene(stores.open(), { clock });
  const wallets = [
    await scene.depositor(DEPOSIT),
    await scene.depositor(DEPOSIT),
    await scene.depositor(0n),
  ] as const;
  await scene.rollup.settled();
  const from = stores.written.length;
  await live(scene, wallets);
  await scene.rollup.settled();
  const to = stores.written.length;
  const errors: string[] = [];
  const logger: Logger = { ...silentLogger, error: (_, message) => errors.push(message) };
  const left = [
    ...Array.from({ length: to - from + 1 }, (_, count) => stores.written.slice(0, from + count)),
    ...withLostEnds(stores.written, from, scene.validator),
  ];
  for (const [index, written] of left.entries()) {
    const again = await openScene(new CrashStores(written).open(), { clock, logger });
    await again.rollup.settled();
    const when = `left over ${index} of ${left.length}`;
    expect(again.rollup.settlement, when).toEqual({ pending: 0, stalled: 0, halted: [] });
    expect(claims(again, wallets), when).toBe(2n * DEPOSIT);
    expect(owedOnBase(again, wallets), when).toBeLessThanOrEqual(again.vaultTokens());
    check(again, wallets);
    expect(await takeOut(again, wallets), when).toBe(2n * DEPOSIT);
    expect(again.vaultTokens(), when).toBe(0n);
    await again.close();
  }
  await scene.close();
  expect(errors).toEqual([]);
  return to - from;
}

describe('a crash after any write', () => {
  it('of one undelegation leaves it settled exactly once, or not accepted', async () => {
    const writes = await crashEverywhere(
      async (scene, [alice]) => {
        await scene.must(scene.rollup, alice, scene.undelegation(alice));
      },
      ({ base, rollup }, [alice]) => {
        const { eata } = accountsOf((alice as Keypair).address);
        const isBack = base.getAccount(eata)?.owner === EPHEMERAL_TOKEN_PROGRAM;
        expect(rollup.projectionAt(eata) === null).toBe(isBack);
        const confirmations = rollup
          .signaturesFor({ address: eata, limit: 10 })
          .filter(({ logs }) => logs.some((line) => line.startsWith('ScheduledCommitSent signature[0]: ')));
        expect(confirmations).toHaveLength(isBack ? 1 : 0);
      },
    );
    // The request, its signature, the settlement on base, its end and its confirmation on the rollup.
    expect(writes).toBe(4);
  });

  it('of a batch of several owners loses nothing and pays nothing twice', async () => {
    const writes = await crashEverywhere(async (scene, [alice, bob, carol]) => {
      const { rollup } = scene;
      await scene.must(rollup, alice, scene.payment(alice, carol.address, 300n));
      await scene.must(rollup, bob, scene.payment(bob, carol.address, 200n));
      await scene.must(rollup, carol, scene.payment(carol, bob.address, 50n));
      await Promise.all([
        scene.must(rollup, carol, scene.undelegation(carol)),
        scene.must(rollup, bob, scene.undelegation(bob)),
      ]);
      await rollup.settled();
    });
    expect(writes).toBeGreaterThan(8);
  });

  it('of two delegations of one eATA in one slot never confuses them', async () => {
    await crashEverywhere(async (scene, [alice, bob]) => {
      const { base, rollup } = scene;
      await scene.must(rollup, alice, scene.payment(alice, bob.address, 400n));
      await scene.must(rollup, alice, scene.undelegation(alice));
      await rollup.settled();
      await scene.must(base, alice, scene.withdrawal(alice, 600n), ...scene.deposit(alice, 100n));
      await scene.must(rollup, alice, scene.payment(alice, bob.address, 1n));
      await scene.must(rollup, alice, scene.undelegation(alice));
      await rollup.settled();
    });
  });

  it('of consecutive undelegations never takes other owners’ tokens from the vault', async () => {
    await crashEverywhere(async (scene, [alice, bob, carol]) => {
      const { base, rollup } = scene;
      await scene.must(rollup, alice, scene.payment(alice, carol.address, 700n));
      await scene.must(rollup, carol, scene.payment(carol, bob.address, 100n));
      await scene.must(rollup, carol, scene.undelegation(carol));
      await rollup.settled();
      await scene.must(base, carol, scene.withdrawal(carol, 600n));
      await scene.must(rollup, alice, scene.payment(alice, bob.address, 50n));
      await scene.must(rollup, bob, scene.undelegation(bob));
      await rollup.settled();
      await scene.must(base, bob, scene.withdrawal(bob, 1_150n));
    });
  });
});
