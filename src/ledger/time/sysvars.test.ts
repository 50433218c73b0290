import type { LiteSvm as PublishedLiteSvm } from 'litesvm/dist/internal.js';
import { describe, expect, it } from 'vitest';
import { EPOCH_SCHEDULE_SYSVAR, RECENT_BLOCKHASHES_SYSVAR } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { Account as NativeAccount, LiteSvm } from '../engine/native-litesvm.ts';
import { HandClock } from '../testing/hand-clock.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { Blockhashes } from './blockhashes.ts';
import { epochScheduleSysvar } from './sysvars.ts';
import { Timeline } from './timeline.ts';

const blockhashSeed = new SeededRandom('sysvars').bytes(32);

function put(svm: LiteSvm, address: Address, account: Account): void {
  const { lamports, data, owner, executable, rentEpoch } = account;
  svm.setAccount(
    addressBytes(address),
    new NativeAccount(lamports, data, addressBytes(owner), executable, rentEpoch),
  );
}

describe('the sysvars of a slot', () => {
  const svm = new LiteSvm() as PublishedLiteSvm;
  const clock = new HandClock(1_767_225_600_000);
  const timeline = new Timeline(clock, {
    anchors: [{ slot: 432_100, unixMs: clock.now(), slotMs: 400, afterSlot: 432_099 }],
    blockhashSeed,
    lamportsPerSignature: 5_000n,
  });
  clock.pass(4_000);
  timeline.advance();
  const sysvars = new Map(timeline.sysvars());
  for (const [address, account] of sysvars) put(svm, address, account);
  put(svm, EPOCH_SCHEDULE_SYSVAR, epochScheduleSysvar());
  const blockhashes = new Blockhashes(blockhashSeed, 432_110);

  it('contain slot, epoch and time for the engine', () => {
    const read = svm.getClock();
    expect(read.slot).toBe(432_110n);
    expect(read.epoch).toBe(1n);
    expect(read.leaderScheduleEpoch).toBe(2n);
    expect(read.unixTimestamp).toBe(1_767_225_604n);
    expect(read.epochStartTimestamp).toBe(1_767_225_604n - 44n);
  });

  it('contain the hashes of the last 512 slots, newest first', () => {
    const read = svm.getSlotHashes();
    expect(read).toHaveLength(512);
    expect([read[0]?.slot, read[511]?.slot]).toEqual([432_109n, 431_598n]);
    expect(read[0]?.hash).toBe(encodeBase58(blockhashes.at(432_109)));
    expect(read[511]?.hash).toBe(encodeBase58(blockhashes.at(431_598)));
  });

  it('list the last 150 blockhashes, newest first, with their fee', () => {
    const { data } = sysvars.get(RECENT_BLOCKHASHES_SYSVAR) as Account;
    const view = Buffer.from(data);
    expect(data).toHaveLength(6_008);
    expect(view.readBigUInt64LE(0)).toBe(150n);
    expect(view.subarray(8, 40)).toEqual(blockhashes.at(432_110));
    expect(view.readBigUInt64LE(40)).toBe(5_000n);
    expect(view.subarray(5_968, 6_000)).toEqual(blockhashes.at(432_110 - 149));
  });

  it('describe epochs that do not warm up', () => {
    const read = svm.getEpochSchedule();
    expect([read.slotsPerEpoch, read.leaderScheduleSlotOffset, read.warmup]).toEqual([
      432_000n,
      432_000n,
      false,
    ]);
    expect([read.firstNormalEpoch, read.firstNormalSlot]).toEqual([0n, 0n]);
  });

  it('are rent-exempt', () => {
    expect([...sysvars.values()].map((account) => account.lamports)).toEqual([
      (128n + 40n) * 6_960n,
      (128n + 20_488n) * 6_960n,
      (128n + 6_008n) * 6_960n,
    ]);
  });
});
