import { beforeEach, describe, expect, it } from 'vitest';
import { MapRollup } from '../../../test/ports/map-chain.ts';
import { transferQueueData } from '../../../test/ports/queue-data.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { EPHEMERAL_TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { deriveTransferQueue } from '../../programs/ephemeral-token/pdas.ts';
import { type CrankStatus, RECENT_MS, recentCrankStatus } from '../accounts/transfer-queue.ts';

let rollup: MapRollup;
let chain: { rollup: MapRollup };
let now: number;
const clock = { now: () => now };

beforeEach(() => {
  rollup = new MapRollup();
  chain = { rollup };
  now = 1_000_000;
});

const ask = (): Promise<CrankStatus> => {
  const queue = deriveTransferQueue(USDC_MINT, rollup.validator).address;
  return recentCrankStatus(chain, queue, { mint: USDC_MINT, validator: rollup.validator }, clock);
};

function put(taskId: bigint): void {
  const data = transferQueueData(USDC_MINT, rollup.validator);
  new DataView(data.buffer).setBigInt64(56, taskId, true);
  const queue = deriveTransferQueue(USDC_MINT, rollup.validator).address;
  rollup.put(queue, { owner: EPHEMERAL_TOKEN_PROGRAM, data });
}

describe('recentCrankStatus()', () => {
  it('reads a scheduled task once within the time limit, and again afterwards', async () => {
    put(7n);
    expect(await ask()).toBe('scheduled');
    put(0n);
    now += RECENT_MS;
    expect(await ask()).toBe('scheduled');
    now += 1;
    expect(await ask()).toBe('none');
  });

  it('reads again if there was none, so that a new task is seen', async () => {
    put(0n);
    expect(await ask()).toBe('none');
    put(7n);
    expect(await ask()).toBe('scheduled');
  });

  it('reads an unresponsive rollup once for all callers, and waits before the next read', async () => {
    let asked = 0;
    rollup.identity = () => {
      asked++;
      return Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
    };
    expect(await Promise.all([ask(), ask()])).toEqual(['unknown', 'unknown']);
    expect(await ask()).toBe('unknown');
    expect(asked).toBe(1);
    now += RECENT_MS + 1;
    await ask();
    expect(asked).toBe(2);
  });

  it('ignores cached values after the clock was set back', async () => {
    put(7n);
    await ask();
    put(0n);
    now -= 1;
    expect(await ask()).toBe('none');
  });
});
