import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../solana/base58.ts';
import { transferWire } from '../testing/transactions.ts';
import { decodeTransactionText, type TransactionEncoding } from './encoded-transaction.ts';

const TYPE = 'solana_transaction::versioned::VersionedTransaction';
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

describe('decodeTransactionText()', () => {
  it('reads up to 4,096 bytes of version 1', () => {
    const text = Buffer.from(Uint8Array.of(0x81, ...new Uint8Array(4_095))).toString('base64');
    expect(decodeTransactionText(text, 'base64').version).toBe(1);
  });

  it.each<TransactionEncoding | undefined>([undefined, 'base58', 'binary'])(
    'reads base58 for the encoding %s',
    (encoding) => {
      expect(decodeTransactionText(encodeBase58(transferWire()), encoding).instructions).toHaveLength(1);
    },
  );

  it('accepts base64 and ignores bytes after the transaction', () => {
    const wire = transferWire();
    const text = base64(Buffer.concat([wire, Buffer.alloc(9, 1)]));
    expect(base64(decodeTransactionText(text, 'base64').wire)).toBe(base64(wire));
  });

  const zeros = (count: number): Uint8Array => new Uint8Array(count);
  const version1 = (count: number): Uint8Array => zeros(count).fill(0x81, 0, 1);

  it.each<[string, string, TransactionEncoding, string]>([
    [
      'an encoding that is not for bytes',
      '',
      'json',
      'unsupported encoding: json. Supported encodings: base58, base64',
    ],
    [
      'another encoding that is not for bytes',
      '',
      'jsonParsed',
      'unsupported encoding: jsonParsed. Supported encodings: base58, base64',
    ],
    [
      'base58 that is too long, before checking its characters',
      '0'.repeat(1684),
      'base58',
      `base58 encoded ${TYPE} too large: 1684 bytes (max: encoded/raw 1683/1232)`,
    ],
    [
      'base64 that is too long, before checking its characters',
      '!'.repeat(1648),
      'base64',
      `base64 encoded ${TYPE} too large: 1648 bytes (max: encoded/raw 1644/1232)`,
    ],
    [
      'base64 that is too long even for version 1',
      base64(version1(4100)),
      'base64',
      `base64 encoded ${TYPE} too large: 5468 bytes (max: encoded/raw 5464/4096)`,
    ],
    ['text that is not base64', 'AA', 'base64', 'invalid base64 encoding: InvalidPadding'],
    [
      'text that is not base58',
      '!',
      'base58',
      "invalid base58 encoding: InvalidCharacter { character: '!', index: 0 }",
    ],
    [
      'an extra byte',
      base64(zeros(1233)),
      'base64',
      `decoded ${TYPE} too large: 1233 bytes (max: 1232 bytes)`,
    ],
    [
      'an extra byte in version 1',
      base64(version1(4097)),
      'base64',
      `decoded ${TYPE} too large: 4097 bytes (max: 4096 bytes)`,
    ],
    ['no bytes', '', 'base64', `failed to deserialize ${TYPE}: unexpected end of data at byte 0`],
    [
      'bytes that are not a transaction',
      base64(Uint8Array.of(1, 2, 3)),
      'base64',
      `failed to deserialize ${TYPE}: unexpected end of data at byte 3`,
    ],
  ])('rejects %s', (_, text, encoding, message) => {
    expect(() => decodeTransactionText(text, encoding)).toThrow(
      expect.objectContaining({ code: -32602, message }),
    );
  });
});
