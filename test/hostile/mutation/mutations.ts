import type { SeededRandom } from '../../../src/ledger/testing/seeded-random.ts';
import type { CallModel, LookupModel, MessageModel } from './message-model.ts';

/** A change to a message, with its description. */
interface Mutation {
  readonly what: string;
  readonly model: MessageModel;
}

const replaced = <T>(items: readonly T[], at: number, item: T): T[] =>
  items.map((each, index) => (index === at ? item : each));

const withByte = (bytes: Uint8Array, at: number, change: (old: number) => number): Uint8Array => {
  const changed = Uint8Array.from(bytes);
  changed[at] = change(changed[at] as number);
  return changed;
};

/** Returns a random number below `below` other than `not`, if there is one. */
const another = (random: SeededRandom, below: number, not: number): number =>
  below < 2 ? not : (not + 1 + random.integer(below - 1)) % below;

function headerMutations(model: MessageModel): Mutation[] {
  return ([0, 1, 2] as const).flatMap((at) =>
    [1, -1].map((step) => ({
      what: `header byte ${at} ${step > 0 ? 'up' : 'down'}`,
      model: {
        ...model,
        header: replaced(model.header, at, (model.header[at] + step) & 0xff) as [number, number, number],
      },
    })),
  );
}

function keyMutations(model: MessageModel, random: SeededRandom): Mutation[] {
  return model.keys.flatMap((key, at) => [
    {
      what: `key ${at} is a stranger's`,
      model: { ...model, keys: replaced(model.keys, at, random.bytes(32)) },
    },
    {
      what: `key ${at} is another of its keys`,
      model: {
        ...model,
        keys: replaced(model.keys, at, model.keys[another(random, model.keys.length, at)] as Uint8Array),
      },
    },
    {
      what: `one bit of key ${at} is flipped`,
      model: {
        ...model,
        keys: replaced(
          model.keys,
          at,
          withByte(key, random.integer(32), (old) => old ^ (1 << random.integer(8))),
        ),
      },
    },
  ]);
}

function blockhashMutations(model: MessageModel, random: SeededRandom): Mutation[] {
  return [
    { what: 'blockhash of zeros', model: { ...model, blockhash: new Uint8Array(32) } },
    { what: 'blockhash of nobody', model: { ...model, blockhash: random.bytes(32) } },
    {
      what: 'one bit of the blockhash is flipped',
      model: { ...model, blockhash: withByte(model.blockhash, random.integer(32), (old) => old ^ 1) },
    },
  ];
}

function callMutations(call: CallModel, keyCount: number, random: SeededRandom): [string, CallModel][] {
  return [
    ['another program', { ...call, program: another(random, keyCount, call.program) }],
    ['an account more', { ...call, accounts: [...call.accounts, random.integer(keyCount)] }],
    ['an account less', { ...call, accounts: call.accounts.slice(0, -1) }],
    ['a byte more', { ...call, data: Uint8Array.of(...call.data, random.integer(256)) }],
    ['a byte less', { ...call, data: call.data.slice(0, -1) }],
    ...call.accounts.map((account, at): [string, CallModel] => [
      `another account at ${at}`,
      { ...call, accounts: replaced(call.accounts, at, another(random, keyCount, account)) },
    ]),
    ...[...call.data].flatMap((_, at): [string, CallModel][] => [
      [`data byte ${at} up`, { ...call, data: withByte(call.data, at, (old) => (old + 1) & 0xff) }],
      [
        `one bit of data byte ${at} flipped`,
        { ...call, data: withByte(call.data, at, (old) => old ^ (2 << random.integer(7))) },
      ],
    ]),
  ];
}

function instructionMutations(model: MessageModel, random: SeededRandom): Mutation[] {
  const { instructions } = model;
  const keyCount = model.keys.length;
  return instructions.flatMap((call, at) => [
    { what: `instruction ${at} left out`, model: { ...model, instructions: instructions.toSpliced(at, 1) } },
    {
      what: `instruction ${at} twice`,
      model: { ...model, instructions: instructions.toSpliced(at, 0, call) },
    },
    {
      what: `instruction ${at} at the end`,
      model: { ...model, instructions: [...instructions.toSpliced(at, 1), call] },
    },
    ...callMutations(call, keyCount, random).map(([what, changed]) => ({
      what: `instruction ${at}: ${what}`,
      model: { ...model, instructions: replaced(instructions, at, changed) },
    })),
  ]);
}

function lookupMutations(model: MessageModel, random: SeededRandom): Mutation[] {
  const put = (at: number, lookup: LookupModel): MessageModel => ({
    ...model,
    lookups: replaced(model.lookups, at, lookup),
  });
  return model.lookups.flatMap((lookup, at) => [
    { what: `lookup ${at} left out`, model: { ...model, lookups: model.lookups.toSpliced(at, 1) } },
    { what: `lookup ${at} of another table`, model: put(at, { ...lookup, table: random.bytes(32) }) },
    {
      what: `lookup ${at} with its writables read-only`,
      model: put(at, { ...lookup, writable: [], readonly: [...lookup.writable, ...lookup.readonly] }),
    },
    ...(['writable', 'readonly'] as const).flatMap((rights) =>
      lookup[rights].map((index, place) => ({
        what: `lookup ${at}: another place for ${rights} ${place}`,
        model: put(at, { ...lookup, [rights]: replaced(lookup[rights], place, index ^ 1) }),
      })),
    ),
  ]);
}

/** Flips one bit of each byte of a message. `at` is the offset of the message in the wire bytes. */
export function flippedBits(
  wire: Uint8Array,
  at: number,
  random: SeededRandom,
): [what: string, Uint8Array][] {
  return Array.from({ length: wire.length - at }, (_, offset) => [
    `one bit of byte ${at + offset} flipped`,
    withByte(wire, at + offset, (old) => old ^ (1 << random.integer(8))),
  ]);
}

/** Returns every single change to a message: to its header, keys, blockhash, instructions and lookups. */
export const mutationsOf = (model: MessageModel, random: SeededRandom): Mutation[] => [
  ...headerMutations(model),
  ...keyMutations(model, random),
  ...blockhashMutations(model, random),
  ...instructionMutations(model, random),
  ...lookupMutations(model, random),
];
