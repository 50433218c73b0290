import type {
  AccountSearch,
  Chain,
  FoundAccount,
  Layout,
  LedgerClient,
  Network,
  Rollup,
  RollupAuth,
  SimulationResult,
} from '../../src/chain/chain.ts';
import { COMMON_MINTS } from '../../src/payments/mints/common-mints.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  LOCALNET_VALIDATOR,
  SYSVAR_OWNER,
  USDC_MINT,
} from '../../src/programs/addresses.ts';
import { DELEGATION_RECORD_BYTES } from '../../src/programs/delegation/state.ts';
import { type Member, PERMISSION_BYTES } from '../../src/programs/permission/state.ts';
import { RENT_SYSVAR, rentSysvarData } from '../../src/programs/sysvars.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../src/solana/account.ts';
import { type Address, addressBytes, isAddressAt } from '../../src/solana/address.ts';

/** A ledger that is a map of accounts, for operations that only read. */
export class MapNode implements LedgerClient {
  readonly accounts = new Map<Address, Account>();
  readonly blockhash: string = 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N';
  /** The tokens of all blockhash requests. */
  readonly blockhashTokens: (string | undefined)[] = [];

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

  latestBlockhash(token?: string) {
    this.blockhashTokens.push(token);
    return Promise.resolve({ blockhash: this.blockhash, lastValidBlockHeight: 1_150 });
  }

  blockHeight() {
    return Promise.resolve(1_000);
  }

  isBlockhashValid(blockhash: string, _token?: string) {
    return Promise.resolve(blockhash === this.blockhash);
  }

  simulateTransaction(_wire: Uint8Array, _watch: readonly Address[]): Promise<SimulationResult> {
    return Promise.reject(new Error('a map of accounts runs nothing'));
  }

  sendTransaction(_wire: Uint8Array): Promise<string> {
    return Promise.reject(new Error('a map of accounts takes nothing'));
  }

  signatureStatus() {
    return Promise.resolve(null);
  }
}

/** A base chain that is a map of accounts: localnet, unless a test makes it another cluster. */
export class MapChain extends MapNode implements Chain {
  constructor() {
    super();
    this.put(RENT_SYSVAR, { owner: SYSVAR_OWNER, data: rentSysvarData(6_960n) });
  }

  cluster: string = 'localnet';
  network: Network = 'localnet';
  layout: Layout = 'a';
  rollup: Rollup | null = null;
  defaultMint: Address = USDC_MINT;
  transferLookupTable: Address | null = null;
  validator: Address = LOCALNET_VALIDATOR;

  validatorIdentity() {
    return Promise.resolve(this.validator);
  }

  searchAccounts({ program, byteCount, having }: AccountSearch): Promise<FoundAccount[]> {
    const found = [...this.accounts].map(([address, account]) => ({ address, account }));
    return Promise.resolve(
      found.filter(
        ({ account: { owner, data } }) =>
          owner === program &&
          data.length === byteCount &&
          (having === undefined || isAddressAt(data, having.offset, having.address)),
      ),
    );
  }
}

/** A rollup that is a map of accounts. */
export class MapRollup extends MapNode implements Rollup {
  publicUrl: string | null = 'https://rollup.example';
  auth: RollupAuth | null = null;
  validator: Address = LOCALNET_VALIDATOR;

  identity() {
    return Promise.resolve(this.validator);
  }
}

/** Returns the bytes of an initialized mint. */
export function mintData(decimals: number): Uint8Array {
  const data = new Uint8Array(82);
  data[44] = decimals;
  data[45] = 1;
  return data;
}

/** Returns the bytes of a mint with its known decimals, else with 6. */
export const mintDataOf = (mint: Address): Uint8Array => mintData(COMMON_MINTS.get(mint)?.decimals ?? 6);

/** Returns the bytes of an initialized token account. */
export function tokenAccountData(mint: Address, owner: Address, amount: bigint, state = 1): Uint8Array {
  const data = new Uint8Array(165);
  data.set(addressBytes(mint), 0);
  data.set(addressBytes(owner), 32);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  data[108] = state;
  return data;
}

/** Returns the bytes of a delegation record without actions. */
export function delegationRecordData(validator: Address, owner = EPHEMERAL_TOKEN_PROGRAM): Uint8Array {
  const data = new Uint8Array(DELEGATION_RECORD_BYTES);
  data[0] = 100;
  data.set(addressBytes(validator), 8);
  data.set(addressBytes(owner), 40);
  return data;
}

/** Returns the bytes of a permission account. With `members` null, everyone can read. */
export function permissionData(account: Address, members: readonly Member[] | null): Uint8Array {
  const data = Buffer.alloc(PERMISSION_BYTES);
  data.set(addressBytes(account), 2);
  if (members === null) return data;
  data[34] = 1;
  data.writeUInt32LE(members.length, 35);
  for (const [index, { flags, address }] of members.entries()) {
    data[39 + index * 33] = flags;
    data.set(addressBytes(address), 40 + index * 33);
  }
  return data;
}
