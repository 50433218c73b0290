// A base chain without a network: a map of accounts with a mint, its vault, a transfer queue and funded
// wallets.
import { deriveMintVault, deriveFeesVaultOf } from '../dist/payments/accounts/deposit-accounts.js';
import { RENT_PDA } from '../dist/payments/fees/shuttle-costs.js';
import { queueAccountsOf } from '../dist/payments/transfer/drafts/queue-accounts.js';
import * as programs from '../dist/programs/addresses.js';
import { deriveAta } from '../dist/programs/associated-token.js';
import { TOKEN_ACCOUNT_BYTES } from '../dist/programs/token/state.js';
import { RENT_EXEMPT_EPOCH } from '../dist/solana/account.js';
import { writeAddress } from '../dist/solana/address.js';
import { BLOCKHASH, USDC, VALIDATOR } from './build-loop.mjs';

export class MemoryChain {
  rollup = null;
  defaultMint = USDC;
  transferLookupTable = null;
  #lasting = new Map();
  #wallets = new Map();

  constructor(layout) {
    this.layout = layout;
    this.cluster = this.network = layout === 'a' ? 'localnet' : 'mainnet';
    const { vault, vaultAta } = deriveMintVault(USDC, programs.TOKEN_PROGRAM);
    const { queue } = queueAccountsOf(USDC, VALIDATOR, programs.TOKEN_PROGRAM);
    this.#lasting
      .set(USDC, account(programs.TOKEN_PROGRAM, mintData()))
      .set(vault.address, account(programs.EPHEMERAL_TOKEN_PROGRAM, vaultData(layout, vaultAta)))
      .set(vaultAta, account(programs.TOKEN_PROGRAM, tokenAccountData(vault.address)))
      .set(queue, account(programs.DELEGATION_PROGRAM, new Uint8Array(80)))
      .set(deriveFeesVaultOf(VALIDATOR), account(programs.DELEGATION_PROGRAM, new Uint8Array(8)))
      .set(RENT_PDA, account(programs.SYSTEM_PROGRAM, new Uint8Array()));
  }

  /** Gives these wallets SOL and USDC, and forgets the ones before them. */
  fund(owners) {
    this.#wallets.clear();
    // One array for all: hundreds of their own would be cleared up at the cost of the builds that are
    // measured.
    const room = new Uint8Array(owners.length * TOKEN_ACCOUNT_BYTES);
    for (const [index, owner] of owners.entries()) {
      const data = room.subarray(index * TOKEN_ACCOUNT_BYTES, (index + 1) * TOKEN_ACCOUNT_BYTES);
      writeTokenAccount(data, owner);
      const ata = deriveAta(owner, USDC, programs.TOKEN_PROGRAM).address;
      this.#wallets.set(owner, WALLET);
      this.#wallets.set(ata, account(programs.TOKEN_PROGRAM, data));
    }
  }

  async getAccounts(addresses) {
    return addresses.map((address) => this.#wallets.get(address) ?? this.#lasting.get(address) ?? null);
  }

  async latestBlockhash() {
    return { blockhash: BLOCKHASH, lastValidBlockHeight: 1_150 };
  }

  async validatorIdentity() {
    return VALIDATOR;
  }
}

const account = (owner, data) => ({
  lamports: 1_000_000_000n,
  owner,
  data,
  executable: false,
  rentEpoch: RENT_EXEMPT_EPOCH,
});

const WALLET = account(programs.SYSTEM_PROGRAM, new Uint8Array());

/** SPL Token `Mint` with 6 decimals. */
function mintData() {
  const data = new Uint8Array(82);
  data[44] = 6;
  data[45] = 1;
  return data;
}

/** A vault: mint, and on layout B its token account and bump as well. */
function vaultData(layout, vaultAta) {
  const data = new Uint8Array(layout === 'a' ? 32 : 65);
  writeAddress(data, 0, USDC);
  if (layout === 'b') writeAddress(data, 32, vaultAta);
  return data;
}

function tokenAccountData(owner) {
  const data = new Uint8Array(TOKEN_ACCOUNT_BYTES);
  writeTokenAccount(data, owner);
  return data;
}

/** SPL Token `Account` of 100 USDC. */
function writeTokenAccount(data, owner) {
  writeAddress(data, 0, USDC);
  writeAddress(data, 32, owner);
  new DataView(data.buffer, data.byteOffset).setBigUint64(64, 100_000_000n, true);
  data[108] = 1;
}
