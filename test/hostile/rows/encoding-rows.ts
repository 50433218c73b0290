import { MAGIC_PROGRAM } from '../../../src/programs/addresses.ts';
import { addMemo } from '../../../src/programs/memo.ts';
import { type Address, addressBytes } from '../../../src/solana/address.ts';
import { decodeTransaction } from '../../../src/solana/transaction.ts';
import { usdcOf } from '../extras/eata-program.ts';
import { CAUTION, NO_DANGER, NOT_CLEAR, REFUSED, type Row } from '../row.ts';
import { rebuilt, rewired, wireOf } from '../transaction-parts.ts';
import { type HostName, HOSTS } from '../world/hosts.ts';
import { strange } from '../world/kit.ts';
import type { World } from '../world/world.ts';

type Edit = (wire: Uint8Array, world: World) => Uint8Array | undefined;

const splice = (wire: Uint8Array, at: number, remove: number, ...bytes: number[]): Uint8Array =>
  new Uint8Array(Buffer.concat([wire.subarray(0, at), Uint8Array.from(bytes), wire.subarray(at + remove)]));

const edited = (host: HostName, how: string, alone: Row['alone'], edit: Edit): Row => ({
  name: `${host}, encoded ${how}`,
  alone,
  asked: ['no'],
  make: async (world) => rewired(await HOSTS[host](world), (wire) => edit(wire, world)),
});

/** Offsets of the lengths in a legacy transaction with one signature. */
function lengthsOf(wire: Uint8Array) {
  const { messageAt, blockhashAt, staticKeys } = decodeTransaction(wire);
  const instructionsAt = blockhashAt + 32;
  const accountsAt = instructionsAt + 2;
  const accountCount = wire[accountsAt] as number;
  return {
    signatures: 0,
    keys: messageAt + 3,
    instructions: instructionsAt,
    accounts: accountsAt,
    data: accountsAt + 1 + accountCount,
    keyCount: staticKeys.length,
    messageAt,
  };
}

/** Rows with the length at `name` in two or three bytes instead of one. */
const aliases = (['signatures', 'keys', 'instructions', 'accounts', 'data'] as const).flatMap((name) => [
  edited('transfer', `with the count of ${name} in two bytes`, REFUSED, (wire) => {
    const at = lengthsOf(wire)[name];
    return splice(wire, at, 1, (wire[at] as number) | 0x80, 0);
  }),
  edited('transfer', `with the count of ${name} in three bytes`, REFUSED, (wire) => {
    const at = lengthsOf(wire)[name];
    return splice(wire, at, 1, (wire[at] as number) | 0x80, 0x80, 0);
  }),
  edited('transfer', `with one too many in the count of ${name}`, REFUSED, (wire) => {
    const at = lengthsOf(wire)[name];
    return splice(wire, at, 1, (wire[at] as number) + 1);
  }),
]);

const header = (how: string, alone: Row['alone'], at: number, value: (old: number) => number): Row =>
  edited('transfer', how, alone, (wire) => {
    const { messageAt } = decodeTransaction(wire);
    wire[messageAt + at] = value(wire[messageAt + at] as number);
    return wire;
  });

/**
 * Adds a static key as the last of its group: writable signers (0), other signers (1), writable keys (2) or
 * other keys (3).
 */
function withKey(wire: Uint8Array, key: Address, group: 0 | 1 | 2 | 3): Uint8Array {
  const { messageAt, requiredSignatures, readonlySigned, readonlyUnsigned, staticKeys, instructions } =
    decodeTransaction(wire);
  const place = [
    requiredSignatures - readonlySigned,
    requiredSignatures,
    staticKeys.length - readonlyUnsigned,
    staticKeys.length,
  ][group] as number;
  const moved = (index: number): number => (index >= place ? index + 1 : index);
  const signs = group < 2;
  const signatures = requiredSignatures + (signs ? 1 : 0);
  const keys = staticKeys.map(addressBytes);
  keys.splice(place, 0, addressBytes(key));
  return new Uint8Array(
    Buffer.concat([
      Buffer.of(signatures),
      Buffer.alloc(64 * signatures),
      Buffer.of(
        signatures,
        readonlySigned + (group === 1 ? 1 : 0),
        readonlyUnsigned + (group === 3 ? 1 : 0),
        keys.length,
      ),
      ...keys,
      wire.subarray(messageAt + 4 + staticKeys.length * 32, messageAt + 36 + staticKeys.length * 32),
      Buffer.of(instructions.length),
      ...instructions.flatMap(({ programIdIndex, accounts, data }) => [
        Buffer.of(moved(programIdIndex), accounts.length, ...[...accounts].map(moved), data.length),
        data,
      ]),
    ]),
  );
}

const UNUSED = strange(150);

const keyRow = (
  how: string,
  alone: Row['alone'],
  key: (world: World) => Address,
  group: 0 | 1 | 2 | 3,
): Row => edited('transfer', how, alone, (wire, world) => withKey(wire, key(world), group));

/** Creates a row with the Magic program as an unused key and without `sendTo`. */
const magicRow = (host: HostName, group: 2 | 3, how: string): Row => ({
  name: `${host}, with the Magic program among its keys, ${how}, and no sendTo`,
  alone: NO_DANGER,
  asked: ['no'],
  async make(world) {
    const { sendTo: _, ...offer } = await HOSTS[host](world);
    return { ...rewired(offer, (wire) => withKey(wire, MAGIC_PROGRAM, group)), ledger: 'base' };
  },
});

/** The same instructions in different bytes. */
export const ENCODING_ROWS: readonly Row[] = [
  ...aliases,
  edited('deposit', 'with a byte after it', REFUSED, (wire) => splice(wire, wire.length, 0, 0)),
  edited('deposit', 'with a transaction after it', REFUSED, (wire) => new Uint8Array([...wire, ...wire])),
  edited('deposit', 'without its last byte', REFUSED, (wire) => wire.subarray(0, -1)),
  edited('deposit', 'as its message alone', REFUSED, (wire) => wire.subarray(65)),
  edited('deposit', 'without signatures', REFUSED, (wire) => splice(wire, 0, 65, 0)),
  edited(
    'deposit',
    'with two signatures',
    REFUSED,
    (wire) => new Uint8Array([2, ...new Uint8Array(64), ...wire.subarray(1)]),
  ),
  edited('deposit', 'as version 1', REFUSED, (wire) => splice(wire, 65, 0, 0x81)),
  edited('deposit', 'as version 127', REFUSED, (wire) => splice(wire, 65, 0, 0xff)),
  edited('deposit', 'as version 0 without a list of lookups', REFUSED, (wire) => splice(wire, 65, 0, 0x80)),
  {
    ...edited('deposit', 'as version 0', NO_DANGER, (wire) => {
      const v0 = splice(wire, 65, 0, 0x80);
      return splice(v0, v0.length, 0, 0);
    }),
    // The instructions and keys are the same, so every answer is acceptable.
    asked: ['yes', 'no', 'unverifiable'],
  },
  edited(
    'deposit',
    'with more bytes than a packet',
    REFUSED,
    (wire) => new Uint8Array([...wire, ...new Uint8Array(1_300)]),
  ),
  header('with nobody to sign', REFUSED, 0, () => 0),
  header('with another signer in its header', REFUSED, 0, (old) => old + 1),
  header('with a fee payer that may not be written', REFUSED, 1, (old) => old + 1),
  header('with every other key read-only', NOT_CLEAR, 2, (old) => old + 2),
  header('with one key more read-only', NOT_CLEAR, 2, (old) => old + 1),
  header('with one key more writable', NO_DANGER, 2, (old) => old - 1),
  header('with more read-only keys than keys', REFUSED, 2, () => 200),
  edited('transfer', 'with the fee payer as its program', REFUSED, (wire) => {
    wire[lengthsOf(wire).instructions + 1] = 0;
    return wire;
  }),
  edited('transfer', 'with a program that is not in it', REFUSED, (wire) => {
    wire[lengthsOf(wire).instructions + 1] = 200;
    return wire;
  }),
  edited('transfer', 'with an account that is not in it', REFUSED, (wire) => {
    wire[lengthsOf(wire).accounts + 1] = 200;
    return wire;
  }),
  keyRow('with a signer that nothing uses', CAUTION, () => UNUSED, 1),
  keyRow('with a writable signer that nothing uses', CAUTION, ({ thief }) => thief.address, 0),
  keyRow('with a writable key that nothing uses', CAUTION, () => UNUSED, 2),
  keyRow("with the thief's account writable for nothing", CAUTION, ({ kit }) => kit.thiefAta, 2),
  keyRow('with a read-only key that nothing uses', NO_DANGER, () => UNUSED, 3),
  keyRow('with its source named twice', NOT_CLEAR, ({ alice }) => usdcOf(alice.address).ownerAta, 2),
  keyRow('with its fee payer named twice', NOT_CLEAR, ({ alice }) => alice.address, 3),
  keyRow('with its recipient named twice', NOT_CLEAR, ({ bob }) => usdcOf(bob.address).ownerAta, 3),
  magicRow('transfer', 3, 'read-only'),
  magicRow('transfer', 2, 'writable'),
  magicRow('deposit', 3, 'read-only'),
  magicRow('withdraw', 3, 'read-only'),
  {
    name: 'transfer, in text that is not base64',
    alone: REFUSED,
    asked: ['no'],
    make: async (world) => ({ ...(await HOSTS.transfer(world)), transactionBase64: '***' }),
  },
  {
    name: 'transfer, in base64 of another dialect',
    alone: REFUSED,
    asked: ['no'],
    async make(world) {
      const offer = rebuilt(await HOSTS.transfer(world), ({ instructions }) => ({
        instructions: [...instructions, addMemo('??>>??>>')],
      }));
      const text = Buffer.from(wireOf(offer)).toString('base64url');
      return { ...offer, transactionBase64: text };
    },
  },
  {
    name: 'transfer, in base64 with a line feed',
    alone: REFUSED,
    asked: ['no'],
    async make(world) {
      const offer = await HOSTS.transfer(world);
      return { ...offer, transactionBase64: `${offer.transactionBase64}\n` };
    },
  },
];
