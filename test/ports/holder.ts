import type { Layout } from '../../src/chain/chain.ts';
import {
  type DepositAccounts,
  deriveDepositAccounts,
  deriveFeesVaultOf,
} from '../../src/payments/accounts/deposit-accounts.ts';
import { RENT_PDA, RENT_PDA_TARGET_LAMPORTS } from '../../src/payments/fees/costs.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../src/programs/addresses.ts';
import { deriveDelegationRecord } from '../../src/programs/delegation/pdas.ts';
import { type Address, addressBytes } from '../../src/solana/address.ts';
import { delegationRecordData, MapChain, mintDataOf, tokenAccountData } from './map-chain.ts';

/** A wallet, and a validator that is registered with the delegation program. */
export const HOLDER = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb' as Address;
export const VALIDATOR = 'MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57' as Address;
/** A validator without delegated accounts. */
export const OTHER_VALIDATOR = 'MEUGGrYPxKk17hCr7wpT6s8dtNokZj5U2L57vjYMS8e' as Address;

/** PayPal USD, a Token-2022 mint with 6 decimals. */
export const PYUSD_MINT = '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo' as Address;

/** A holder of one mint's tokens, with its accounts on a chain that is a map. */
export class Holder {
  readonly chain: MapChain;
  readonly accounts;
  readonly #layout: Layout;

  /**
   * A chain with the mint, the vault, the validator's fees vault, a full rent PDA, and a wallet with 10 SOL.
   */
  constructor(layout: Layout, mint: Address = USDC_MINT, tokenProgram: Address = TOKEN_PROGRAM) {
    this.#layout = layout;
    this.chain = new MapChain();
    this.chain.layout = layout;
    this.chain.validator = VALIDATOR;
    if (layout === 'b') Object.assign(this.chain, { cluster: 'mainnet', network: 'mainnet' });
    this.accounts = deriveDepositAccounts(HOLDER, mint, tokenProgram);
    this.chain
      .put(mint, { owner: tokenProgram, data: mintDataOf(mint) })
      .put(deriveFeesVaultOf(VALIDATOR), { owner: DELEGATION_PROGRAM, data: new Uint8Array(8) });
    this.putVault();
    this.putLamports(HOLDER, 10_000_000_000n);
    this.putLamports(RENT_PDA, RENT_PDA_TARGET_LAMPORTS);
  }

  putLamports(address: Address, lamports: bigint): this {
    this.chain.put(address, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports });
    return this;
  }

  /**
   * Puts the vault of a mint, by default the holder's mint, and the vault's token account. `state` 2 is
   * frozen.
   */
  putVault(accounts: DepositAccounts = this.accounts, state = 1): this {
    const { mint, tokenProgram, vault, vaultAta } = accounts;
    this.chain
      .put(vault.address, { owner: EPHEMERAL_TOKEN_PROGRAM, data: addressBytes(mint) })
      .put(vaultAta, { owner: tokenProgram, data: tokenAccountData(mint, vault.address, 0n, state) });
    return this;
  }

  /** Puts the wallet's ATA with `amount` base units. `state` 2 is frozen. */
  putTokens(amount: bigint, state = 1): this {
    const { mint, ownerAta, tokenProgram } = this.accounts;
    this.chain.put(ownerAta, { owner: tokenProgram, data: tokenAccountData(mint, HOLDER, amount, state) });
    return this;
  }

  /** Puts an eATA with `amount` base units on base. */
  putEata(amount: bigint): this {
    const { mint, eata } = this.accounts;
    const data = new Uint8Array(this.#layout === 'a' ? 72 : 80);
    data.set(addressBytes(HOLDER), 0);
    data.set(addressBytes(mint), 32);
    new DataView(data.buffer).setBigUint64(64, amount, true);
    this.chain.put(eata.address, { owner: EPHEMERAL_TOKEN_PROGRAM, data });
    return this;
  }

  /** Puts the delegated eATA. With null, the delegation program owns it but has no record of it. */
  putDelegatedEata(validator: Address | null): this {
    this.chain.put(this.accounts.eata.address, { owner: DELEGATION_PROGRAM, data: new Uint8Array(80) });
    if (validator !== null) this.putRecord(this.accounts.eata.address, validator);
    return this;
  }

  /** Puts the delegation record of any account. `owner` is its original program. */
  putRecord(account: Address, validator: Address, owner = EPHEMERAL_TOKEN_PROGRAM): this {
    const data = delegationRecordData(validator, owner);
    this.chain.put(deriveDelegationRecord(account).address, { owner: DELEGATION_PROGRAM, data });
    return this;
  }
}
