import { describe, expect, it } from 'vitest';
import { addressBytes } from '../solana/address.ts';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from './addresses.ts';
import { decodeLookupTable } from './lookup-table.ts';

function tableBytes(options: { authority?: boolean; deactivationSlot?: bigint; addresses?: number } = {}) {
  const { authority = true, deactivationSlot = 2n ** 64n - 1n, addresses = 2 } = options;
  const data = new Uint8Array(56 + 32 * addresses);
  const view = new DataView(data.buffer);
  view.setUint32(0, 1, true);
  view.setBigUint64(4, deactivationSlot, true);
  view.setBigUint64(12, 350_000_000n, true);
  view.setUint8(20, 1);
  if (authority) {
    view.setUint8(21, 1);
    data.set(addressBytes(USDC_MINT), 22);
  }
  for (let index = 0; index < addresses; index++) {
    data.set(addressBytes(index === 0 ? TOKEN_PROGRAM : EPHEMERAL_TOKEN_PROGRAM), 56 + 32 * index);
  }
  return data;
}

describe('decodeLookupTable', () => {
  it('reads a table in use', () => {
    expect(decodeLookupTable(tableBytes())).toEqual({
      deactivationSlot: null,
      lastExtendedSlot: 350_000_000n,
      lastExtendedFrom: 1,
      authority: USDC_MINT,
      addresses: [TOKEN_PROGRAM, EPHEMERAL_TOKEN_PROGRAM],
    });
  });

  it('reads a table that is frozen, deactivated, empty or full', () => {
    expect(decodeLookupTable(tableBytes({ authority: false }))?.authority).toBeNull();
    expect(decodeLookupTable(tableBytes({ deactivationSlot: 7n }))?.deactivationSlot).toBe(7n);
    expect(decodeLookupTable(tableBytes({ addresses: 0 }))?.addresses).toEqual([]);
    expect(decodeLookupTable(tableBytes({ addresses: 256 }))?.addresses).toHaveLength(256);
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['a truncated header', tableBytes().subarray(0, 55)],
    ['a truncated address', tableBytes().subarray(0, 119)],
    ['a table that was never created', tableBytes().fill(0, 0, 4)],
    ['another tag', tableBytes().fill(2, 0, 1)],
    ['an authority with an invalid option byte', tableBytes().fill(2, 21, 22)],
    ['more addresses than a table can hold', tableBytes({ addresses: 257 })],
  ])('is null for %s', (_, data) => {
    expect(decodeLookupTable(data)).toBeNull();
  });
});
