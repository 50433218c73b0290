import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../programs/token/state.ts';
import { type Account, RENT_EXEMPT_EPOCH, rentExemptMinimum } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';

/** Creates an SPL Token account. State 0 is uninitialized, 1 initialized, 2 frozen. */
export function tokenAccount(
  keys: { readonly mint: Address; readonly owner: Address },
  amount: bigint,
  {
    state = 1,
    program = TOKEN_PROGRAM,
    delegate = null,
  }: { state?: number; program?: Address; delegate?: Address | null } = {},
): Account {
  const data = new Uint8Array(TOKEN_ACCOUNT_BYTES);
  data.set(addressBytes(keys.mint), 0);
  data.set(addressBytes(keys.owner), 32);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  if (delegate !== null) {
    data[72] = 1;
    data.set(addressBytes(delegate), 76);
  }
  data[108] = state;
  return accountOf(program, data);
}

/** Creates a rent-exempt account with any data. */
export function accountOf(
  owner: Address,
  data: Uint8Array,
  lamports = rentExemptMinimum(data.length),
): Account {
  return { lamports, owner, data, executable: false, rentEpoch: RENT_EXEMPT_EPOCH };
}
