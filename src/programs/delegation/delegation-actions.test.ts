import { describe, expect, it } from 'vitest';
import { Keypair } from '../../ledger/keypair.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { concat, u32, u8, vec } from '../instruction-data.ts';
import { recipientOf } from '../private-transfer/seal-transfer.ts';
import { freshKey, sealBox } from '../private-transfer/sealed-box.ts';
import { decodeDelegationActions } from './delegation-actions.ts';
import { DELEGATION_RECORD_BYTES } from './state.ts';

const random = new SeededRandom('actions');
const validator = new Keypair(random.bytes(32));
const key = (): Address => addressOf(random.bytes(32));
const [owner, lateSigner, program, ata, destination] = [key(), key(), key(), key(), key()];

const seal = (bytes: Uint8Array, to = validator): Uint8Array =>
  sealBox(bytes, recipientOf(to.address).boxKey, freshKey(random));
const bytesOf = (bytes: Uint8Array): Uint8Array => concat(u32(bytes.length), bytes);
const clear = (bytes: Uint8Array): Uint8Array => concat(u8(0), bytes);
const sealed = (bytes: Uint8Array): Uint8Array => concat(u8(1), bytesOf(bytes));

const NOTHING: Uint8Array = new Uint8Array(0);
const SIGNER = 64;
const WRITABLE = 128;

/** The keys in the order of their indices: owner, program, ATA, the late signer, the sealed destination. */
function recordWith({
  metas = [
    clear(u8(0 | SIGNER)),
    clear(u8(2 | WRITABLE)),
    sealed(seal(u8(4))),
    clear(u8(3 | SIGNER | WRITABLE)),
  ],
  destinationKey = sealed(seal(addressBytes(destination))),
  suffix = seal(Uint8Array.of(8, 9)),
  rest = NOTHING,
} = {}): Uint8Array {
  return concat(
    new Uint8Array(DELEGATION_RECORD_BYTES),
    u8(1),
    u8(2),
    vec([owner, lateSigner].map(addressBytes)),
    vec([clear(addressBytes(program)), clear(addressBytes(ata)), destinationKey]),
    vec([concat(u8(1), vec(metas), bytesOf(Uint8Array.of(16, 7)), bytesOf(suffix))]),
    rest,
  );
}

const decode = (record: Uint8Array) => decodeDelegationActions(record, (box) => validator.openSealed(box));

describe('decodeDelegationActions()', () => {
  it('opens sealed parts and combines keys and data', () => {
    expect(decode(recordWith())).toEqual([
      {
        programId: program,
        accounts: [
          { address: owner, signer: true, writable: false },
          { address: ata, signer: false, writable: true },
          { address: destination, signer: false, writable: false },
          { address: lateSigner, signer: true, writable: true },
        ],
        data: Uint8Array.of(16, 7, 8, 9),
      },
    ]);
  });

  it('returns data without a sealed end unchanged', () => {
    expect(decode(recordWith({ suffix: new Uint8Array(0) }))?.[0]?.data).toEqual(Uint8Array.of(16, 7));
  });

  it('finds none in a record without any', () => {
    expect(decode(new Uint8Array(DELEGATION_RECORD_BYTES))).toEqual([]);
  });

  const other = new Keypair(random.bytes(32));
  it.each<[string, Uint8Array]>([
    ['a signer that did not sign on base', recordWith({ metas: [clear(u8(2 | SIGNER))] })],
    ['a sealed signer that did not sign on base', recordWith({ metas: [sealed(seal(u8(4 | SIGNER)))] })],
    ['an index without a key', recordWith({ metas: [clear(u8(5))] })],
    [
      'a key sealed for another validator',
      recordWith({ destinationKey: sealed(seal(addressBytes(destination), other)) }),
    ],
    ['data sealed for another validator', recordWith({ suffix: seal(u8(1), other) })],
    ['a sealed key of another length', recordWith({ destinationKey: sealed(seal(new Uint8Array(31))) })],
    ['bytes after the actions', recordWith({ rest: u8(0) })],
    ['an unknown form of a key', recordWith({ destinationKey: concat(u8(2), addressBytes(destination)) })],
    ['truncated actions', recordWith().subarray(0, -1)],
    ['a truncated record', new Uint8Array(DELEGATION_RECORD_BYTES + 1)],
  ])('returns nothing to run for %s', (_, record) => {
    expect(decode(record)).toBeNull();
  });
});
