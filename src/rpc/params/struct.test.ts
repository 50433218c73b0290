import { describe, expect, it } from 'vitest';
import { readJson } from '../../json/read-json.ts';
import { ParamFault, type ParamReader } from './param-reader.ts';
import {
  bool,
  commitmentConfig,
  contextConfig,
  optional,
  required,
  struct,
  u64,
  u8,
  untagged,
  withDefault,
} from './readers.ts';

/** The value that `read` returns for a JSON text, or the message of its error. */
function readText(read: ParamReader<unknown>, text: string): unknown {
  try {
    return read(readJson(text).value);
  } catch (error) {
    if (error instanceof ParamFault) return error.message;
    throw error;
  }
}

const range = struct('Range', { start: required(u64), end: optional(u64), isOpen: withDefault(bool, false) });

describe('struct()', () => {
  it.each<[string, unknown]>([
    ['{"start":1}', { start: 1n, end: undefined, isOpen: false }],
    ['{"start":1,"end":null,"isOpen":true,"other":[]}', { start: 1n, end: undefined, isOpen: true }],
    ['{"start":1,"start":2}', { start: 2n, end: undefined, isOpen: false }],
    ['{}', 'missing field `start`'],
    ['{"start":1,"isOpen":null}', 'invalid type: null, expected a boolean'],
    ['{"start":"x","end":"y"}', 'invalid type: string "y", expected u64'],
    ['{"isOpen":true}', 'missing field `start`'],
    ['[1,2,true]', { start: 1n, end: 2n, isOpen: true }],
    ['[1,null]', { start: 1n, end: undefined, isOpen: false }],
    ['[1]', 'invalid length 1, expected struct Range with 3 elements'],
    ['[]', 'invalid length 0, expected struct Range with 3 elements'],
    ['[1,2,true,4]', 'invalid length 4, expected fewer elements in array'],
    ['"x"', 'invalid type: string "x", expected struct Range'],
  ])('reads %s as serde does', (text, expected) => {
    expect(readText(range, text)).toEqual(expected);
  });

  it('counts one element as one', () => {
    expect(readText(commitmentConfig, '[]')).toBe(
      'invalid length 0, expected struct CommitmentConfig with 1 element',
    );
    expect(readText(commitmentConfig, '["confirmed"]')).toEqual({ commitment: 'confirmed' });
  });
});

describe('a struct with flattened members', () => {
  it.each<[string, unknown]>([
    ['{"commitment":"confirmed"}', { commitment: 'confirmed', minContextSlot: undefined }],
    ['{"commitment":{"processed":null}}', { commitment: 'processed', minContextSlot: undefined }],
    ['{"commitment":"recent","minContextSlot":3}', { commitment: undefined, minContextSlot: 3n }],
    ['["confirmed"]', 'invalid type: sequence, expected struct RpcContextConfig'],
  ])('reads %s', (text, expected) => {
    expect(readText(contextConfig, text)).toEqual(expected);
  });
});

describe('untagged()', () => {
  const either = untagged<unknown>('Either', [u8, range]);

  it('uses the first variant that fits', () => {
    expect(readText(either, '7')).toBe(7);
    expect(readText(either, '[7]')).toBe('data did not match any variant of untagged enum Either');
    expect(readText(either, '{"start":7}')).toEqual({ start: 7n, end: undefined, isOpen: false });
  });

  it('does not hide internal faults', () => {
    const broken: ParamReader<never> = () => {
      throw new TypeError('a bug');
    };
    expect(() => untagged('Either', [broken])(null)).toThrow(TypeError);
  });
});
