import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../errors/service-error.ts';
import { bareGenesis } from '../../ledger/genesis/genesis.ts';
import type { TransactionRecord } from '../../ledger/ledger.ts';
import { openTestLedger, type TestLedger } from '../../ledger/testing/test-ledger.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FAUCET_SIGNATURE, FixedLedger } from '../testing/fixed-ledger.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const ADDRESS = addressFilledWith(1);

describe('requestAirdrop', () => {
  it('passes every digit of the lamports to the faucet and returns its signature', async () => {
    const ledger = new FixedLedger();
    const params = `["${ADDRESS}",18446744073709551615,{"commitment":"confirmed"}]`;
    expect(await callForText(ledger, 'requestAirdrop', params)).toBe(`"result":"${FAUCET_SIGNATURE}"`);
    expect(ledger.calls).toEqual([['airdrop', ADDRESS, 18446744073709551615n]]);
  });

  it.each<[string, unknown[], string]>([
    ['an address', ['o', 5], 'Invalid param: WrongSize'],
    ['a blockhash', [ADDRESS, 5, { recentBlockhash: '0' }], 'Invalid param: Invalid'],
  ])('rejects anything but %s', async (_, params, message) => {
    const ledger = new FixedLedger();
    expect(await callMethod(ledger, 'requestAirdrop', ...params)).toEqual(invalidParamsError(message));
    expect(ledger.calls).toEqual([]);
  });

  it('reports the limits of the faucet with Agave’s code and the limit', async () => {
    const ledger = new FixedLedger();
    ledger.onChange = () => {
      throw new ServiceError('FAUCET_LIMIT', 'The faucet refuses: too much');
    };
    expect(await callMethod(ledger, 'requestAirdrop', ADDRESS, 5)).toEqual({
      error: { code: -32603, message: 'Internal error: The faucet refuses: too much' },
    });
  });

  it('says why the faucet rejects', async () => {
    const ledger = new FixedLedger();
    ledger.onChange = () => {
      throw new ServiceError('INVALID_AMOUNT', 'The faucet gives at most 10 SOL');
    };
    expect(await callMethod(ledger, 'requestAirdrop', ADDRESS, 5)).toEqual(
      invalidParamsError('The faucet gives at most 10 SOL'),
    );
  });

  describe('on a real ledger', () => {
    const NEW = addressFilledWith(9);
    let world: TestLedger;
    beforeEach(async () => {
      world = await openTestLedger({ genesis: bareGenesis(), slotMs: 80 });
    });
    afterEach(() => world.ledger.close());

    const request = async (lamports: number): Promise<TransactionRecord | null> => {
      const { ledger, clock } = world;
      const asked = callMethod(ledger, 'requestAirdrop', NEW, lamports);
      clock.pass(ledger.slotMs);
      return ledger.getTransaction((await asked).result as string);
    };

    it('lands in the next slot, so that a client can still subscribe (bug: the slot was over)', async () => {
      const { ledger, clock } = world;
      const { slot } = ledger.head();
      const asked = callMethod(ledger, 'requestAirdrop', NEW, 1_000_000);
      await new Promise((resolve) => setImmediate(resolve));
      expect(ledger.getAccount(NEW)).toBeNull();
      clock.pass(ledger.slotMs);
      const { result } = await asked;
      expect(ledger.getTransaction(result as string)).toMatchObject({ slot: slot + 1, err: null });
    });

    it('returns a signature if the transfer fails on the ledger (bug: -32602)', async () => {
      expect(await request(1)).toMatchObject({ err: { InsufficientFundsForRent: { account_index: 1 } } });
      expect(world.ledger.getAccount(NEW)).toBeNull();
    });

    it('logs two lines, and has a memo only if repeated on the same blockhash', async () => {
      expect((await request(1_000_000))?.logs).toEqual([
        'Program 11111111111111111111111111111111 invoke [1]',
        'Program 11111111111111111111111111111111 success',
      ]);
      const twice = [1, 2].map(() => callMethod(world.ledger, 'requestAirdrop', NEW, 2_000_000));
      world.clock.pass(world.ledger.slotMs);
      const logs = (await Promise.all(twice)).map(
        ({ result }) => world.ledger.getTransaction(result as string)?.logs.length,
      );
      expect(logs).toEqual([2, expect.any(Number)]);
      expect(logs[1]).toBeGreaterThan(2);
      expect(world.ledger.getAccount(NEW)?.lamports).toBe(5_000_000n);
    });
  });
});
