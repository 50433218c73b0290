import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../ports/logger.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { createDispatcher } from '../dispatcher.ts';
import { Scans } from '../scan/scans.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { getMultipleAccounts } from './account-methods.ts';

const [A, B] = [addressFilledWith(1), addressFilledWith(2)];

function ledgerWith(data: Uint8Array): FixedLedger {
  const ledger = new FixedLedger();
  ledger.setAccount(A, accountWith(data, SYSTEM_PROGRAM));
  return ledger;
}

describe('getMultipleAccounts', () => {
  it('returns each account or null in the requested order, in base64', async () => {
    const account =
      '{"data":["dGVzdCBkYXRh","base64"],"executable":false,"lamports":2039280,' +
      '"owner":"11111111111111111111111111111111","rentEpoch":18446744073709551615,"space":9}';
    expect(
      await callForText(
        ledgerWith(Buffer.from('test data')),
        'getMultipleAccounts',
        `[["${B}","${A}","${A}"]]`,
      ),
    ).toBe(`"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":[null,${account},${account}]}`);
  });

  it('accepts the config of getAccountInfo', async () => {
    const ledger = ledgerWith(Buffer.from('test data'));
    const config = { encoding: 'base58', dataSlice: { offset: 0, length: 4 } };
    expect(await callMethod(ledger, 'getMultipleAccounts', [A], config)).toMatchObject({
      result: { value: [{ data: ['3yZe7d', 'base58'], space: 9 }] },
    });
    expect(await callMethod(ledger, 'getMultipleAccounts', [A], { minContextSlot: 4712 })).toHaveProperty(
      'error.code',
      -32016,
    );
  });

  it('answers no accounts for no addresses', async () => {
    expect(await callMethod(new FixedLedger(), 'getMultipleAccounts', [])).toHaveProperty('result.value', []);
  });

  it('accepts 100 addresses and refuses more before checking them', async () => {
    const addresses = Array.from({ length: 100 }, () => A);
    expect(await callMethod(new FixedLedger(), 'getMultipleAccounts', addresses)).toHaveProperty('result');
    expect(await callMethod(new FixedLedger(), 'getMultipleAccounts', [...addresses, 'p'])).toEqual(
      invalidParamsError('Too many inputs provided; max 100'),
    );
  });

  it('refuses base58 for more than 128 bytes', async () => {
    expect(
      await callMethod(ledgerWith(Buffer.alloc(129)), 'getMultipleAccounts', [A], { encoding: 'base58' }),
    ).toHaveProperty('error.code', -32600);
  });

  it('names what is wrong with an address', async () => {
    expect(await callMethod(new FixedLedger(), 'getMultipleAccounts', [A, 'p'])).toEqual(
      invalidParamsError('Invalid param: WrongSize'),
    );
    expect(await callMethod(new FixedLedger(), 'getMultipleAccounts', A)).toEqual(
      invalidParamsError(`Invalid params: invalid type: string "${A}", expected a sequence.`),
    );
  });

  it('waits for its turn before it has read much (bug: all was read, even for a refused call)', async () => {
    const ledger = new FixedLedger();
    const account = accountWith(new Uint8Array(400 * 1024), SYSTEM_PROGRAM);
    let reads = 0;
    ledger.getAccount = () => {
      reads += 1;
      return account;
    };
    const begun: (() => void)[] = [];
    const pause = (): Promise<void> => new Promise((resolve) => begun.push(resolve));
    const scans = new Scans({ pause, turnMs: 0, atOnceMax: 1 });
    const node = { ledger, version: '4.2.1', featureSet: 7 };
    const dispatch = createDispatcher({
      node,
      methods: [getMultipleAccounts],
      batchMax: 3,
      logger: silentLogger,
      scans,
    });
    const addresses = Array.from({ length: 100 }, (_, at) => addressFilledWith(at + 1));
    const config = { encoding: 'base64', dataSlice: { offset: 0, length: 0 } };
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getMultipleAccounts',
      params: [addresses, config],
    });
    const first = dispatch(body);
    expect([reads, scans.running]).toEqual([100, 1]);
    const second = dispatch(body);
    expect([reads, scans.waiting]).toEqual([103, 1]);
    while (scans.running > 0) {
      begun.shift()?.();
      await setImmediate();
    }
    expect(JSON.parse(await first).result.value).toHaveLength(100);
    expect(await second).toBe(await first);
    expect(reads).toBe(203);
  });
});
