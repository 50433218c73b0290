import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { MINT_BYTES } from '../../programs/token/state.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';

/**
 * A mint of SPL Token without supply and without freeze authority (`Mint`: COption u32 + mint authority 32,
 * supply u64, decimals u8, initialised u8, COption u32 + freeze authority 32).
 *
 * @param authority the mint authority; null for a fixed supply.
 */
export function mintAccount(authority: Address | null, decimals: number): Account {
  const data = new Uint8Array(MINT_BYTES);
  if (authority !== null) {
    data[0] = 1;
    data.set(addressBytes(authority), 4);
  }
  data[44] = decimals;
  data[45] = 1;
  return {
    lamports: rentExemptMinimum(data.length),
    owner: TOKEN_PROGRAM,
    data,
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}
