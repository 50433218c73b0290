import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { accountOf } from './make-account.ts';

/** Creates a nonce account of the system program. */
export function nonceAccount(
  authority: Address,
  nonce: Uint8Array,
  { version = 1, state = 1, lamportsPerSignature = 5_000n } = {},
): Account {
  const data = Buffer.alloc(80);
  data.writeUInt32LE(version, 0);
  data.writeUInt32LE(state, 4);
  data.set(addressBytes(authority), 8);
  data.set(nonce, 40);
  data.writeBigUInt64LE(lamportsPerSignature, 72);
  return accountOf(SYSTEM_PROGRAM, new Uint8Array(data));
}
