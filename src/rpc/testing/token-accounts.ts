import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';

/** Creates a rent-exempt account with `data` and `owner`. */
export function accountWith(data: Uint8Array, owner: Address = TOKEN_PROGRAM): Account {
  return { lamports: 2_039_280n, owner, data, executable: false, rentEpoch: RENT_EXEMPT_EPOCH };
}

/** Encodes an initialized mint, 82 bytes. */
export function mintData(parts: {
  readonly supply?: bigint;
  readonly decimals?: number;
  readonly mintAuthority?: Address;
  readonly freezeAuthority?: Address;
}): Uint8Array {
  const data = Buffer.alloc(82);
  writeOption(data, 0, parts.mintAuthority);
  data.writeBigUInt64LE(parts.supply ?? 0n, 36);
  data[44] = parts.decimals ?? 6;
  data[45] = 1;
  writeOption(data, 46, parts.freezeAuthority);
  return data;
}

/** Encodes a token account, 165 bytes, by default initialized. */
export function tokenAccountData(parts: {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount?: bigint;
  readonly state?: number;
  readonly delegate?: Address;
  readonly delegatedAmount?: bigint;
  readonly rentExemptReserve?: bigint;
  readonly closeAuthority?: Address;
}): Uint8Array {
  const data = Buffer.alloc(165);
  data.set(addressBytes(parts.mint), 0);
  data.set(addressBytes(parts.owner), 32);
  data.writeBigUInt64LE(parts.amount ?? 0n, 64);
  writeOption(data, 72, parts.delegate);
  data[108] = parts.state ?? 1;
  if (parts.rentExemptReserve !== undefined) {
    data.writeUInt32LE(1, 109);
    data.writeBigUInt64LE(parts.rentExemptReserve, 113);
  }
  data.writeBigUInt64LE(parts.delegatedAmount ?? 0n, 121);
  writeOption(data, 129, parts.closeAuthority);
  return data;
}

/** Appends Token-2022 extensions to `base`: the account type, then types, lengths and values. */
export function withExtensions(
  base: Uint8Array,
  accountType: 1 | 2,
  extensions: readonly (readonly [type: number, value: Uint8Array])[],
): Uint8Array {
  const parts = extensions.flatMap(([type, value]) => {
    const header = Buffer.alloc(4);
    header.writeUInt16LE(type, 0);
    header.writeUInt16LE(value.length, 2);
    return [header, value];
  });
  const padding = Buffer.alloc(165 - base.length);
  return Buffer.concat([base, padding, Buffer.of(accountType), ...parts]);
}

function writeOption(data: Buffer, at: number, address: Address | undefined): void {
  if (address === undefined) return;
  data.writeUInt32LE(1, at);
  data.set(addressBytes(address), at + 4);
}
