import { describe, expect, it } from 'vitest';
import { compareOutputs } from './shown-output.ts';

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const ALICE = 'DkVKFMXgssc9XgzqPsY9Dyvvp9EJHVRgUaNUmKVueTkW';
const BOB = '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE';
const SIGNATURE = `5${'x'.repeat(87)}`;
const OTHER_SIGNATURE = `3${'y'.repeat(86)}`;

describe('compareOutputs', () => {
  it.each([
    ['the same', '{"fee":5000}', '{"fee":5000}'],
    ['another wallet', `{"owner":"${ALICE}"}`, `{"owner":"${BOB}"}`],
    ['another signature', SIGNATURE, OTHER_SIGNATURE],
    ['another slot and height', '{"slot":519}, block height 667', '{"slot":8}, block height 1234'],
    ['other compute units', '{"unitsConsumed":1} 75 compute units', '{"unitsConsumed":22} 8 compute units'],
    ['another transaction', 'A'.repeat(200), `${'B'.repeat(150)}=`],
    ['another request id', '{"requestId":"abc"}', '{"requestId":"d_f-g"}'],
    ['values without line breaks', '{"id":1}\n{"id":2}', '{"id":1}{"id":2}'],
    ['omitted parts', '{"a":"AAA...","b":1}', '{"a":"AAABBB","b":1}'],
  ])('accepts %s', (_name, shown, printed) => {
    expect(compareOutputs(shown, printed, '').names).not.toBeNull();
  });

  it.each([
    ['another number', '{"fee":5000}', '{"fee":5001}'],
    ['another member', '{"fee":5000}', '{"fees":5000}'],
    ['an additional member', '{"fee":5000}', '{"fee":5000,"slot":1}'],
    ['another order', '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['a signature for a wallet', ALICE, SIGNATURE],
    ['a mint other than the one in the commands', `"${MINT}"`, `"${BOB}"`],
    ['a different end after an omission', 'AAA...,"b":1}', 'AAABBB,"b":2}'],
    ['nothing', '{"fee":5000}', ''],
  ])('rejects %s', (_name, shown, printed) => {
    const compared = compareOutputs(shown, printed, MINT);
    expect(compared.names).toBeNull();
    expect(compared.printed).not.toBe(compared.shown);
  });

  it('reports which name stands for which', () => {
    const { names } = compareOutputs(`${ALICE} has ${MINT}`, `${BOB} has ${MINT}`, MINT);
    expect(names).toEqual([[ALICE, BOB]]);
  });
});
