import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HandTime } from '../../chain/testing/hand-time.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import { MAGIC_CONTEXT, MAGIC_PROGRAM } from '../../programs/addresses.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { accountsOf, openScene, type RollupScene } from '../testing/rollup-scene.ts';
import { signConfirmation } from './endings.ts';

let scene: RollupScene;
let alice: Keypair;
let timer: HandTime;
let isBaseBusy: boolean;
beforeEach(async () => {
  timer = new HandTime();
  isBaseBusy = false;
  const refuses = () => (isBaseBusy ? 'AccountInUse' : null);
  scene = await openScene(new CrashStores().open(), { timer, refuses });
  alice = await scene.depositor(1_000n);
});
afterEach(() => scene.close());

/** The text after `prefix` in the logs of a rollup transaction. */
function told(signature: string, prefix: string): string[] {
  const { logs = [] } = scene.rollup.getTransaction(signature) ?? {};
  return logs.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
}

/** Requests the undelegation; returns its signature and that of the confirmation. */
async function undelegate(): Promise<readonly [string, string]> {
  const undelegation = await scene.must(scene.rollup, alice, scene.undelegation(alice));
  const announced = told(undelegation, 'ScheduledCommitSent signature: ');
  expect(announced).toHaveLength(1);
  return [undelegation, announced[0] as string];
}

describe('the confirmation of a settlement', () => {
  it('is announced by the undelegation and names the transaction on base', async () => {
    const { base, rollup, validator } = scene;
    const [, confirmation] = await undelegate();
    await rollup.settled();
    const record = rollup.getTransaction(confirmation);
    const { eata } = accountsOf(alice.address);
    expect(decodeTransaction(record?.wire as Uint8Array).staticKeys).toEqual([
      validator.address,
      MAGIC_CONTEXT,
      eata,
      MAGIC_PROGRAM,
    ]);
    expect(record).toMatchObject({ err: null, fee: 0n });
    expect(told(confirmation, 'ScheduledCommitSent included: ')).toEqual([`[${eata}]`]);
    const [settlement = ''] = told(confirmation, 'ScheduledCommitSent signature[0]: ');
    const onBase = decodeTransaction(base.getTransaction(settlement)?.wire as Uint8Array);
    expect(onBase.staticKeys).toContain(eata);
    expect(base.getTransaction(settlement)?.err).toBeNull();
  });

  it('does not land before the settlement, and lands however long that takes', async () => {
    const { rollup } = scene;
    isBaseBusy = true;
    const [, confirmation] = await undelegate();
    await rollup.settled();
    expect(rollup.settlement).toMatchObject({ pending: 1, stalled: 1 });
    expect(rollup.getTransaction(confirmation)).toBeNull();
    scene.clock.pass(600_000);
    isBaseBusy = false;
    await timer.pass(600_000);
    await rollup.settled();
    expect(rollup.getTransaction(confirmation)?.err).toBeNull();
  });

  it('is a different one for each undelegation, even in the same slot', async () => {
    const { base, rollup } = scene;
    const [, first] = await undelegate();
    await rollup.settled();
    await scene.must(base, alice, ...scene.deposit(alice, 0n));
    const [, second] = await undelegate();
    await rollup.settled();
    expect(second).not.toBe(first);
    expect(rollup.getTransaction(second)?.slot).toBe(rollup.getTransaction(first)?.slot);
  });

  it('cannot be landed by anyone else, although everything in it is known', async () => {
    const { base, rollup, validator } = scene;
    isBaseBusy = true;
    const [undelegation, announced] = await undelegate();
    const { eata } = accountsOf(alice.address);
    const { genesisHash: baseGenesisHash } = base;
    const confirmation = signConfirmation({ eata, undelegation }, { validator, baseGenesisHash });
    expect(await rollup.submit(confirmation)).toEqual({
      signature: announced,
      err: 'BlockhashNotFound',
      landed: false,
    });
  });

  it('changes the rollup in one event: its transaction lands as the projection is removed', async () => {
    const { rollup } = scene;
    const { ownerAta, eata } = accountsOf(alice.address);
    const ends: (string | null)[] = [];
    rollup.subscribe((event) => {
      const gone = event.changes.some(({ address }) => address === ownerAta);
      if (gone) ends.push(event.kind === 'transaction' ? event.record.signature : null);
    });
    const [, confirmation] = await undelegate();
    await rollup.settled();
    expect(ends).toEqual([confirmation]);
    const named = rollup.signaturesFor({ address: eata, limit: 10 }).map(({ signature }) => signature);
    expect(named.filter((signature) => signature === confirmation)).toHaveLength(1);
  });
});
