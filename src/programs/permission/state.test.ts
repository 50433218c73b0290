import { describe, expect, it } from 'vitest';
import { addressBytes } from '../../solana/address.ts';
import { DELEGATION_PROGRAM, USDC_DEVNET_MINT, USDC_MINT } from '../addresses.ts';
import { decodePermission, MEMBER_FLAG, PERMISSION_BYTES } from './state.ts';

/** A permission as the permission program leaves it: two members, zeros up to the allocated length. */
function permissionBytes(): Uint8Array {
  const data = new Uint8Array(PERMISSION_BYTES);
  data[1] = 254;
  data.set(addressBytes(USDC_MINT), 2);
  data[34] = 1;
  data[35] = 2;
  data.set(addressBytes(DELEGATION_PROGRAM), 40);
  data[72] = MEMBER_FLAG.authority | MEMBER_FLAG.txBalances;
  data.set(addressBytes(USDC_DEVNET_MINT), 73);
  return data;
}

describe('decodePermission', () => {
  it('reads the members', () => {
    expect(decodePermission(permissionBytes())).toEqual({
      bump: 254,
      account: USDC_MINT,
      members: [
        { flags: 0, address: DELEGATION_PROGRAM },
        { flags: 5, address: USDC_DEVNET_MINT },
      ],
    });
  });

  it('distinguishes no members from an empty list', () => {
    expect(decodePermission(permissionBytes().fill(0, 34, 35))?.members).toBeNull();
    expect(decodePermission(permissionBytes().fill(0, 35, 36))?.members).toEqual([]);
    expect(decodePermission(permissionBytes().fill(0, 34, 35).subarray(0, 35))?.members).toBeNull();
  });

  it('reads as many members as fit', () => {
    expect(decodePermission(permissionBytes().fill(16, 35, 36))?.members).toHaveLength(16);
    expect(decodePermission(permissionBytes().fill(17, 35, 36))).toBeNull();
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['another discriminator', permissionBytes().fill(1, 0, 1)],
    ['a truncated address', permissionBytes().subarray(0, 34)],
    ['members with an invalid option byte', permissionBytes().fill(2, 34, 35)],
    ['a truncated count', permissionBytes().subarray(0, 38)],
    ['a truncated member', permissionBytes().subarray(0, 104)],
    ['a count beyond the data', permissionBytes().fill(0xff, 35, 39)],
  ])('is null for %s', (_, data) => {
    expect(decodePermission(data)).toBeNull();
  });
});
