import { describe, expect, it } from 'vitest';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const ledger = new FixedLedger();
const { identity } = ledger;
const everySlot = Array.from({ length: 432_000 }, (_, index) => index).join();

describe('getLeaderSchedule', () => {
  it.each<[unknown[]]>([
    [[]],
    [[null]],
    [[4_000]],
    [[863_999]],
    [[{ identity }]],
    [[null, { identity, commitment: 'confirmed' }]],
  ])('with %j shows this node as the leader of every slot', async (params) => {
    const answer = await callForText(ledger, 'getLeaderSchedule', JSON.stringify(params));
    expect(answer === `"result":{"${identity}":[${everySlot}]}`).toBe(true);
  });

  it.each<[unknown[]]>([
    [[{ identity: addressFilledWith(3) }]],
    [[4_000, { identity: addressFilledWith(3) }]],
    [[{ identity: addressFilledWith(3) }, { identity }]],
  ])('with %j shows no slots for other nodes', async (params) => {
    expect(await callMethod(ledger, 'getLeaderSchedule', ...params)).toEqual({ result: {} });
  });

  it('returns null for an epoch after the next (bug: this node led it)', async () => {
    expect(await callForText(ledger, 'getLeaderSchedule', '[864000]')).toBe('"result":null');
    expect(await callForText(ledger, 'getLeaderSchedule', '[18446744073709551615]')).toBe('"result":null');
    expect(
      await callForText(ledger, 'getLeaderSchedule', `[864000,{"identity":"${addressFilledWith(3)}"}]`),
    ).toBe('"result":null');
  });

  it('rejects anything but a slot or a config, and invalid addresses', async () => {
    expect(await callMethod(ledger, 'getLeaderSchedule', 'x')).toEqual(
      invalidParamsError(
        'Invalid params: data did not match any variant of untagged enum RpcLeaderScheduleConfigWrapper.',
      ),
    );
    expect(await callMethod(ledger, 'getLeaderSchedule', { identity: 'x' })).toEqual(
      invalidParamsError('Invalid param: WrongSize'),
    );
  });
});
