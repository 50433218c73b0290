import { describe, expect, it } from 'vitest';
import type { TransactionRecord } from '../../ledger/ledger.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { recordOf } from '../testing/records.ts';
import { transferWire } from '../testing/transactions.ts';

const UNKNOWN = encodeBase58(new Uint8Array(64).fill(3));

function ledgerWith(parts: Partial<TransactionRecord>): { ledger: FixedLedger; signature: string } {
  const ledger = new FixedLedger();
  const record = recordOf(transferWire(), parts);
  ledger.records.set(record.signature, record);
  return { ledger, signature: record.signature };
}

describe('getSignatureStatuses', () => {
  it('returns final statuses, and null for unknown signatures', async () => {
    const { ledger, signature } = ledgerWith({});
    expect(await callForText(ledger, 'getSignatureStatuses', `[["${signature}","${UNKNOWN}"]]`)).toBe(
      '"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":[{"confirmationStatus":"finalized",' +
        '"confirmations":null,"err":null,"slot":4700,"status":{"Ok":null}},null]}',
    );
  });

  it('shows the error of a failed transaction in both forms', async () => {
    const err = { InstructionError: [0, { Custom: 1 }] } as const;
    const { ledger, signature } = ledgerWith({ err });
    expect(await callMethod(ledger, 'getSignatureStatuses', [signature])).toHaveProperty('result.value.0', {
      confirmationStatus: 'finalized',
      confirmations: null,
      err,
      slot: 4700,
      status: { Err: err },
    });
  });

  it.each([
    [4411, false, true],
    [4410, false, false],
    [4410, true, true],
    [1, true, true],
  ])(
    'at slot 4711 finds one of slot %d, with a search in the history %s: %s',
    async (slot, search, isKnown) => {
      const { ledger, signature } = ledgerWith({ slot });
      const config = search ? { searchTransactionHistory: true } : null;
      const { result } = await callMethod(ledger, 'getSignatureStatuses', [signature], config);
      expect((result as { value: unknown[] }).value[0] !== null).toBe(isKnown);
    },
  );

  it('accepts at most 256 signatures', async () => {
    const { ledger } = ledgerWith({});
    const many = (count: number): string[] => Array.from({ length: count }, () => UNKNOWN);
    expect(await callMethod(ledger, 'getSignatureStatuses', many(256))).toHaveProperty(
      'result.value.length',
      256,
    );
    expect(await callMethod(ledger, 'getSignatureStatuses', [...many(256), '!'])).toEqual(
      invalidParamsError('Too many inputs provided; max 256'),
    );
    expect(await callMethod(ledger, 'getSignatureStatuses', [])).toHaveProperty('result.value', []);
  });

  it('explains an invalid signature', async () => {
    const { ledger } = ledgerWith({});
    expect(await callMethod(ledger, 'getSignatureStatuses', ['invalid_signature'])).toEqual(
      invalidParamsError('Invalid param: Invalid'),
    );
  });
});
