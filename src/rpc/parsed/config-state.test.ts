import { describe, expect, it } from 'vitest';
import { writeJson } from '../../json/write-json.ts';
import { CONFIG_PROGRAM } from '../../programs/addresses.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { filled, littleEndian } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { parseState } from './testing/parse-state.ts';

const VALIDATOR_INFO = 'Va1idator1nfo111111111111111111111111111111' as Address;

const info = (text: string, firstKey: ArrayLike<number> = addressBytes(VALIDATOR_INFO)): number[] => [
  2,
  ...Array.from(firstKey),
  0,
  ...filled(1),
  1,
  ...littleEndian(Buffer.byteLength(text), 8),
  ...Buffer.from(text),
];

describe('accounts of the Config program', () => {
  it('show what a validator tells about itself', () => {
    expect(
      parseState(CONFIG_PROGRAM, info('{"website":"https://x.y","name":"Søla\\nna","n":[1.0,null]}')),
    ).toEqual({
      info: {
        configData: {
          n: [expect.objectContaining({ value: 1 }), null],
          name: 'Søla\nna',
          website: 'https://x.y',
        },
        keys: [
          { pubkey: VALIDATOR_INFO, signer: false },
          { pubkey: addressFilledWith(1), signer: true },
        ],
      },
      type: 'validatorInfo',
    });
  });

  it('cannot break out of the answer by the names in their JSON', () => {
    const parsed = parseState(CONFIG_PROGRAM, info('{"a\\":1,\\"b":{"__proto__":"x"}}'));
    expect(JSON.parse(writeJson(parsed))['info'].configData).toEqual(
      JSON.parse('{"a\\":1,\\"b":{"__proto__":"x"}}'),
    );
  });

  it.each<[string, number[]]>([
    ['no bytes', []],
    ['no keys', [0, 0, 0]],
    ['other keys', info('{}', filled(9))],
    ['text that is not JSON', info('{')],
    ['a text longer than the data', info('{}').slice(0, -1)],
    ['a flag that is none', [1, ...addressBytes(VALIDATOR_INFO), 2]],
  ])('are not parsed with %s', (_, data) => {
    expect(parseState(CONFIG_PROGRAM, data)).toBe('not parsed');
  });
});
