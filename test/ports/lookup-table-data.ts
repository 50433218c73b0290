import { type Address, addressBytes } from '../../src/solana/address.ts';

/** Returns the bytes of a frozen lookup table. `deactivationSlot` is set if it is being closed. */
export function lookupTableData(
  addresses: readonly Address[],
  deactivationSlot = 2n ** 64n - 1n,
): Uint8Array {
  const data = new Uint8Array(56 + 32 * addresses.length);
  const view = new DataView(data.buffer);
  view.setUint32(0, 1, true);
  view.setBigUint64(4, deactivationSlot, true);
  for (const [index, address] of addresses.entries()) data.set(addressBytes(address), 56 + 32 * index);
  return data;
}
