import type { Chain } from '../../src/chain/chain.ts';
import { LOCALNET_VALIDATOR, USDC_MINT } from '../../src/programs/addresses.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../../src/solana/account.ts';
import { addressBytes, type Address } from '../../src/solana/address.ts';

/** A chain that is a map of accounts, for operations that only read. */
export class MapChain implements Chain {
  readonly cluster = 'localnet';
  readonly network = 'localnet';
  readonly layout = 'a';
  readonly rollup = null;
  readonly defaultMint = USDC_MINT;
  readonly transferLookupTable = null;
  readonly accounts = new Map<Address, Account>();
  readonly blockhash = 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N';

  put(address: Address, account: Partial<Account> & Pick<Account, 'owner' | 'data'>): this {
    this.accounts.set(address, {
      lamports: 10_000_000n,
      executable: false,
      rentEpoch: RENT_EXEMPT_EPOCH,
      ...account,
    });
    return this;
  }

  getAccounts(addresses: readonly Address[]): Promise<(Account | null)[]> {
    return Promise.resolve(addresses.map((address) => this.accounts.get(address) ?? null));
  }

  latestBlockhash() {
    return Promise.resolve({ blockhash: this.blockhash, lastValidBlockHeight: 1_150 });
  }

  blockHeight() {
    return Promise.resolve(1_000);
  }

  tryTransaction(): Promise<never> {
    return Promise.reject(new Error('a map of accounts runs nothing'));
  }

  sendTransaction(): Promise<never> {
    return Promise.reject(new Error('a map of accounts takes nothing'));
  }

  signatureStatus() {
    return Promise.resolve(null);
  }

  validatorIdentity() {
    return Promise.resolve(LOCALNET_VALIDATOR);
  }
}

/** The bytes of an initialised mint. */
export function mintData(decimals: number): Uint8Array {
  const data = new Uint8Array(82);
  data[44] = decimals;
  data[45] = 1;
  return data;
}

/** The bytes of an initialised token account. */
export function tokenAccountData(mint: Address, owner: Address, amount: bigint, state = 1): Uint8Array {
  const data = new Uint8Array(165);
  data.set(addressBytes(mint), 0);
  data.set(addressBytes(owner), 32);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  data[108] = state;
  return data;
}
