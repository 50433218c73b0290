import { describe, expect, it } from 'vitest';
import { BPF_LOADER_UPGRADEABLE, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { addressBytes, addressOf } from '../../solana/address.ts';
import { withBytesAt } from '../state/account-data.ts';
import { accountOf } from '../testing/make-account.ts';
import { makeRecord } from '../testing/make-record.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { ACCOUNT_HEAD_BYTES } from './account-codec.ts';
import { AccountEncoder, PATCHED_BYTES_MIN } from './account-patch.ts';
import { encodeCommit, readCommit, writeCommit } from './encoded-commit.ts';
import { decodeRecord } from './record-codec.ts';
import type { Commit } from './store.ts';

const random = new SeededRandom('commits');
const a = addressOf(random.bytes(32));
const b = addressOf(new Uint8Array(32));

const identity = {
  genesisHash: b,
  blockhashSeed: random.bytes(32),
  faucetSeed: random.bytes(32),
  identitySeed: random.bytes(32),
};
const timeAnchor = { slot: 512, unixMs: 1_767_225_600_000.125, slotMs: 400, afterSlot: 511 };
const message = { blockhashHeight: 600, digest: new Uint8Array(random.bytes(32)), expiredBelow: 450 };
const accounts: Commit['accounts'] = [
  [a, accountOf(SYSTEM_PROGRAM, random.bytes(9))],
  [b, accountOf(SYSTEM_PROGRAM, new Uint8Array(0), 0n)],
];
const record = makeRecord('one', { slot: 2 ** 50, index: 2 ** 32 - 1 });

describe('a commit', () => {
  it.each<[string, Commit]>([
    ['a slot ceiling', { slotCeiling: Number.MAX_SAFE_INTEGER }],
    ['a initialState', { slotCeiling: 1, identity, timeAnchor, accounts }],
    ['a time anchor', { slotCeiling: 1, timeAnchor }],
    ['accounts', { slotCeiling: 1, accounts }],
    ['a message', { slotCeiling: 1, message }],
    ['a transaction', { slotCeiling: 1, accounts, record, recordAddresses: [a, b] }],
    ['a transaction that names nothing', { slotCeiling: 1, record }],
    ['everything', { slotCeiling: 1, identity, timeAnchor, message, accounts, record, recordAddresses: [a] }],
  ])('is read as it was written: %s', (_, commit) => {
    const encoded = encodeCommit(commit);
    const read = readCommit(writeCommit(encoded));
    const { slot, index } = record;
    expect(read).toEqual({
      ...encoded,
      record: encoded.record && { ...encoded.record, position: { slot, index } },
    });
    expect(read.record && decodeRecord(read.record.value)).toEqual(commit.record);
  });

  it('has a large account as a whole again once too many others changed', () => {
    const encoder = new AccountEncoder({ count: 1, bytes: PATCHED_BYTES_MIN });
    const data = new Uint8Array(PATCHED_BYTES_MIN);
    const valueOf = (address: typeof a, lamports: bigint) =>
      encoder.encode(address, accountOf(SYSTEM_PROGRAM, data, lamports));
    expect(valueOf(a, 1n)).toBeInstanceOf(Buffer);
    expect(valueOf(a, 2n)).toMatchObject({ length: ACCOUNT_HEAD_BYTES + PATCHED_BYTES_MIN });
    expect(valueOf(a, 2n)).not.toBeInstanceOf(Buffer);
    for (let n = 0; n < 4; n++) valueOf(addressOf(random.bytes(32)), 1n);
    expect(valueOf(a, 3n)).toBeInstanceOf(Buffer);
  });

  it('is read as it was written: what changed of a large account', () => {
    const encoder = new AccountEncoder();
    const data = new Uint8Array(PATCHED_BYTES_MIN);
    const whole = encodeCommit({ slotCeiling: 1, accounts: [[a, accountOf(SYSTEM_PROGRAM, data)]] }, encoder);
    const changed = data.slice();
    changed.set([1, 2, 3], 70);
    const after: Commit['accounts'] = [
      [a, accountOf(SYSTEM_PROGRAM, changed, 5n)],
      [b, accountOf(SYSTEM_PROGRAM, Uint8Array.of(4))],
    ];
    const encoded = encodeCommit({ slotCeiling: 1, accounts: after }, encoder);
    expect(whole.accounts[0]?.value).toHaveLength(ACCOUNT_HEAD_BYTES + data.length);
    expect(encoded.accounts[0]?.value).toMatchObject({
      length: ACCOUNT_HEAD_BYTES + data.length,
      at: ACCOUNT_HEAD_BYTES + 70,
      bytes: Buffer.of(1, 2, 3),
    });
    expect(readCommit(writeCommit(encoded))).toEqual(encoded);
  });

  it('has what changed of an account that was written in part, as if it had been written as a whole', () => {
    const [inPart, inWhole] = [new AccountEncoder(), new AccountEncoder()];
    let account = accountOf(BPF_LOADER_UPGRADEABLE, new Uint8Array(PATCHED_BYTES_MIN * 2));
    let { data } = account;
    for (const encoder of [inPart, inWhole]) encoder.encode(a, account);
    for (const at of [0, 70, 20_000, 20_001, 9_999]) {
      const bytes = Uint8Array.of(at + 1, 0, 3);
      account = withBytesAt(account, at, bytes);
      data = new Uint8Array(data);
      data.set(bytes, at);
      const encoded = inPart.encode(a, account);
      expect(encoded).toEqual(inWhole.encode(a, accountOf(BPF_LOADER_UPGRADEABLE, data)));
      expect(encoded).toMatchObject({
        length: ACCOUNT_HEAD_BYTES + data.length,
        at: ACCOUNT_HEAD_BYTES + at,
      });
    }
  });

  it('has null for an account that is gone, and all addresses one after the other', () => {
    const encoded = encodeCommit({ slotCeiling: 1, accounts, record, recordAddresses: [a, b] });
    expect(encoded.accounts[0]?.value).not.toBeNull();
    expect(encoded.accounts[1]).toEqual({ address: Buffer.from(addressBytes(b)), value: null });
    expect(encoded.record?.addresses).toEqual(Buffer.concat([addressBytes(a), addressBytes(b)]));
  });
});
