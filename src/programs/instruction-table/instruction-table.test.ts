import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Address, addressOf } from '../../solana/address.ts';
import { ByteReader, tryParse } from '../../solana/byte-reader.ts';
import { signer } from '../../solana/instruction.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '../addresses.ts';
import { ALL_INSTRUCTIONS } from '../all-instructions.ts';
import { concat, option, u32, u64, vec } from '../instruction-data.ts';
import { BUNDLE_ARGUMENTS, CALLBACK_ARGUMENTS, TASK_ARGUMENTS } from '../magic/table.ts';
import { free, optional, readonly, writable, writableSigner } from './account-spec.ts';
import { type AccountsOf, encode } from './encode.ts';
import * as codecs from './field-codec.ts';
import type { FieldCodec, Fields, FieldValue } from './field-codec.ts';
import {
  accountsMin,
  type InstructionSpec,
  instructionTable,
  matchInstruction,
  type ProgramSpec,
} from './instruction-spec.ts';

const anyBytes = fc.uint8Array({ maxLength: 40 });
const anyAddress = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressOf);
const bytesOf = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
const listOf = (size: number) => fc.array(bytesOf(size), { maxLength: 3 });

/** Values of every kind of field that a table can have. */
const VALUES = new Map<unknown, fc.Arbitrary<FieldValue>>([
  [codecs.u8, fc.nat(0xff)],
  [codecs.u16, fc.nat(0xffff)],
  [codecs.u24, fc.nat(0xff_ffff)],
  [codecs.u32, fc.nat(0xffff_ffff)],
  [codecs.u64, fc.bigInt(0n, 2n ** 64n - 1n)],
  [codecs.address, anyAddress],
  [codecs.optionalAddress, fc.option(anyAddress)],
  [codecs.text, fc.string({ unit: 'grapheme' })],
  [codecs.rest, anyBytes],
  [codecs.prefixedBytes, anyBytes],
  // Of these the least there is: bundles of nothing, tasks and callbacks without accounts.
  [BUNDLE_ARGUMENTS, fc.constant(new Uint8Array(12))],
  [TASK_ARGUMENTS, fc.constant(new Uint8Array(32))],
  [CALLBACK_ARGUMENTS, fc.constant(new Uint8Array(61))],
  [codecs.addresses, listOf(32).map((items) => concat(u64(BigInt(items.length)), ...items))],
  [codecs.members, fc.option(listOf(33)).map((items) => option(items && vec(items)))],
  [codecs.seeds, fc.array(anyBytes).map((all) => vec(all.map((seed) => concat(u32(seed.length), seed))))],
]);

/** Those of a codec that a table made: what it can read of some bytes. */
const readable = (codec: FieldCodec): fc.Arbitrary<FieldValue> =>
  fc
    .oneof(bytesOf(32), bytesOf(80), bytesOf(10), handleBytes)
    .map((data) => readWhole(codec, data))
    .filter((value) => value !== undefined);

function readWhole(codec: FieldCodec, data: Uint8Array): FieldValue | undefined {
  const reader = new ByteReader(data);
  const value = tryParse(() => codec.read(reader));
  return reader.remaining === 0 ? value : undefined;
}

const handleBytes = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }).map((text) => {
  const utf8 = Buffer.from(text).subarray(0, 255);
  const padded = new Uint8Array(256);
  padded[0] = utf8.length;
  padded.set(utf8, 1);
  return padded;
});

const known = (codec: FieldCodec): fc.Arbitrary<FieldValue> | undefined =>
  [...VALUES].find(([each]) => (each as FieldCodec).read === codec.read)?.[1];

const valueOf = (codec: FieldCodec): fc.Arbitrary<FieldValue> => {
  const value =
    codec.constant === undefined ? (known(codec) ?? readable(codec)) : fc.constant(codec.constant);
  return codec.optional === true ? fc.option(value) : value;
};

const valuesOf = (fields: Fields) =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([name, codec]) => [name, valueOf(codec)])));

/** An account for everything that the caller of an encoder gives. */
function accountsFor({ accounts }: InstructionSpec): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [
    index,
    {
      path: [name = '', member],
      presence,
    },
  ] of accounts.entries()) {
    const address = addressOf(new Uint8Array(32).fill(index + 1));
    const account = presence === 'free' ? signer(address) : address;
    given[name] = member === undefined ? account : { ...(given[name] as object), [member]: account };
  }
  return given;
}

const encodeAny = encode as (
  spec: InstructionSpec,
  accounts: object,
  values: object,
) => ReturnType<typeof encode>;
const siblingsOf = ({ program }: InstructionSpec) =>
  ALL_INSTRUCTIONS.filter((spec) => spec.program.address === program.address);

describe('an instruction of a table', () => {
  it.each(
    ALL_INSTRUCTIONS.map((spec) => [`${spec.program.name} ${spec.name} ${spec.layout ?? ''}`, spec] as const),
  )('is read as written, and as no other instruction: %s', (_, spec) => {
    fc.assert(
      fc.property(valuesOf(spec.fields), (values) => {
        const call = encodeAny(spec, accountsFor(spec), values);
        const matched = matchInstruction(spec.program, siblingsOf(spec), call);
        expect(matched?.spec).toBe(spec);
        const given = Object.entries(values).filter(
          ([name, value]) => value !== null || spec.fields[name]?.optional !== true,
        );
        expect([...(matched?.fields ?? [])]).toEqual(given);
      }),
      { numRuns: 40 },
    );
  });

  it.each(
    ALL_INSTRUCTIONS.map((spec) => [`${spec.program.name} ${spec.name} ${spec.layout ?? ''}`, spec] as const),
  )('is read only if writing it gives the same bytes: %s', (_, spec) => {
    const damage = fc.record({ cut: fc.nat(40), add: anyBytes });
    fc.assert(
      fc.property(valuesOf(spec.fields), damage, (values, { cut, add }) => {
        const { data, accounts } = encodeAny(spec, accountsFor(spec), values);
        const changed = concat(data.subarray(0, Math.max(0, data.length - cut)), add);
        const matched = matchInstruction(spec.program, [spec], { data: changed, accounts });
        if (matched === null || changed.length === 0) return;
        const read = Object.keys(spec.fields).map(
          (name) => [name, matched.fields.get(name) ?? null] as const,
        );
        expect(encodeAny(spec, accountsFor(spec), Object.fromEntries(read)).data).toEqual(changed);
      }),
      { numRuns: 40 },
    );
  });

  it.each(ALL_INSTRUCTIONS.map((spec) => [`${spec.program.name} ${spec.name}`, spec] as const))(
    'has its optional accounts and fields at the end: %s',
    (_, { accounts, fields }) => {
      const isSorted = (flags: boolean[]) =>
        flags.join() === flags.toSorted((a, b) => Number(a) - Number(b)).join();
      expect(isSorted(accounts.map(({ presence }) => presence === 'optional'))).toBe(true);
      expect(isSorted(Object.values(fields).map(({ optional: may }) => may === true))).toBe(true);
    },
  );
});

it('renames only accounts and fields that it has', () => {
  for (const { program, name, shownAs = {} } of ALL_INSTRUCTIONS) {
    const parts = ALL_INSTRUCTIONS.filter((spec) => spec.program.address === program.address).flatMap(
      ({ accounts, fields }) => [...accounts.map(({ role }) => role), ...Object.keys(fields)],
    );
    expect(parts, name).toEqual(expect.arrayContaining(Object.keys(shownAs)));
  }
});

const PROGRAM: ProgramSpec = { address: MEMO_PROGRAM, name: 'some program', tagBytes: 4, emptyTag: 7 };

const TABLE = instructionTable(PROGRAM, {
  pay: {
    tag: 7,
    accounts: [
      writableSigner('payer'),
      writable('payeeRecord', 'payee.record'),
      free('judge'),
      readonly('systemProgram'),
      optional(readonly('witness')),
    ],
    more: 'friend',
    fields: { amount: codecs.u64, until: codecs.atEnd(codecs.u16) },
  },
  stop: { tag: 8, name: 'stopPaying', accounts: [] },
});

const [PAYER, RECORD, JUDGE, WITNESS] = [1, 2, 3, 4].map((byte) =>
  addressOf(new Uint8Array(32).fill(byte)),
) as [Address, Address, Address, Address];
const given = { payer: PAYER, payee: { record: RECORD }, judge: signer(JUDGE) };

describe('a call', () => {
  it('names the accounts with the rights of the table, including fixed ones', () => {
    expect(encode(TABLE.pay, given, { amount: 5n, until: null })).toEqual({
      programId: MEMO_PROGRAM,
      accounts: [
        { address: PAYER, signer: true, writable: true },
        { address: RECORD, signer: false, writable: true },
        { address: JUDGE, signer: true, writable: false },
        { address: SYSTEM_PROGRAM, signer: false, writable: false },
      ],
      data: Uint8Array.of(7, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0),
    });
  });

  it('passes optional accounts if they are given', () => {
    const { accounts, data } = encode(
      TABLE.pay,
      { ...given, witness: WITNESS },
      { amount: 5n, until: 0x102 },
    );
    expect(accounts[4]).toEqual({ address: WITNESS, signer: false, writable: false });
    expect([...data.subarray(12)]).toEqual([2, 1]);
  });

  it('never replaces a fixed account', () => {
    const wrong = { ...given, systemProgram: WITNESS };
    expect(encode(TABLE.pay, wrong, { amount: 5n, until: null }).accounts[3]?.address).toBe(SYSTEM_PROGRAM);
  });

  it('is rejected if a value does not fit its field', () => {
    expect(() => encode(TABLE.pay, given, { amount: 2n ** 64n, until: null })).toThrow(RangeError);
    expect(() => encode(TABLE.pay, given, { amount: 1n, until: 2 ** 16 })).toThrow(RangeError);
  });

  it('requires the accounts and fields of the table, and no others', () => {
    expectTypeOf<keyof AccountsOf<typeof TABLE.pay>>().toEqualTypeOf<
      'payer' | 'payee' | 'judge' | 'witness'
    >();
    expectTypeOf<Parameters<typeof encode<typeof TABLE.pay>>[2]>().toEqualTypeOf<{
      readonly amount: bigint;
      readonly until: number | null;
    }>();
    expectTypeOf<Parameters<typeof encode<typeof TABLE.stop>>['length']>().toEqualTypeOf<2>();
  });
});

describe('a call is recognized', () => {
  const specs = Object.values<InstructionSpec>(TABLE);
  const match = (data: readonly number[], count: number) =>
    matchInstruction(PROGRAM, specs, { data: Uint8Array.from(data), accounts: { length: count } })?.spec.name;
  const PAY = [7, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0];

  it.each([
    ['as the right instruction', PAY, 4, 'pay'],
    ['with an optional field and an optional account', [...PAY, 1, 2], 5, 'pay'],
    ['with any additional accounts', PAY, 20, 'pay'],
    ['by the name in its table entry', [8, 0, 0, 0], 0, 'stopPaying'],
  ])('%s', (_, data, count, name) => {
    expect(match(data, count)).toBe(name);
  });

  it.each([
    ['an account is missing', PAY, 3],
    ['there is an extra account', [8, 0, 0, 0], 1],
    ['a byte is missing', PAY.slice(0, -1), 4],
    ['there is an extra byte', [...PAY, 1, 2, 3], 4],
    ['only half of the optional field is there', [...PAY, 1], 4],
    ['the tag differs', [9, 0, 0, 0], 0],
    ['the tag differs in its last byte', [8, 0, 0, 1], 0],
    ['the tag is truncated', [8, 0, 0], 0],
    ['there is no data although the instruction has fields', [], 4],
  ])('but not if %s', (_, data, count) => {
    expect(match(data, count)).toBeUndefined();
  });

  it('if it has at least the required accounts', () => {
    expect(accountsMin(TABLE.pay)).toBe(4);
  });
});

describe('fields that are not decoded', () => {
  it.each([
    ['members', codecs.members, [2]],
    ['members', codecs.members, [1, 1, 0, 0, 0]],
    ['seeds', codecs.seeds, [1, 0, 0, 0, 2, 0, 0, 0, 9]],
    ['addresses', codecs.addresses, [1, 0, 0, 0, 0, 0, 0, 0]],
    ['a fixed number of bytes', codecs.bytes(3), [1, 2]],
    ['an empty padded text', codecs.paddedText(3), [0, 0, 0, 0]],
    ['a padded text with bytes after it', codecs.paddedText(3), [1, 97, 0, 1]],
    ['a padded text that is not UTF-8', codecs.paddedText(3), [1, 255, 0, 0]],
    ['a padded text longer than its space', codecs.paddedText(3), [4, 97, 97, 97]],
    ['a text longer than the data', codecs.text, [2, 0, 0, 0, 0, 0, 0, 0, 97]],
  ])('are none: %s', (_, codec, data) => {
    expect(readWhole(codec, Uint8Array.from(data))).toBeUndefined();
  });

  it('are not written if absent', () => {
    expect(() => codecs.members.write(Uint8Array.of(2))).toThrow(RangeError);
    expect(() => codecs.members.write(Uint8Array.of(0, 2))).toThrow(RangeError);
    expect(() => codecs.bytes(3).write(Uint8Array.of(2))).toThrow('the value has 1 bytes instead of 3');
    expect(() => codecs.paddedText(3).write('')).toThrow('the text has 0 bytes, but must have 1 to 3');
    expect(() => codecs.paddedText(3).write('äö')).toThrow(RangeError);
  });
});
