import { type Address, addressBytes } from '../../src/solana/address.ts';

/** Returns the bytes of an empty transfer queue with room for `items` transfers. */
export function transferQueueData(mint: Address, validator: Address, items = 1): Uint8Array {
  const data = new Uint8Array(96 + 96 * items);
  data[0] = 1;
  data.set(addressBytes(mint), 8);
  data.set(addressBytes(validator), 64);
  return data;
}
