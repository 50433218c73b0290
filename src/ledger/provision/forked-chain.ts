import type { SendOptions, SimulationResult } from '../../chain/chain.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTransaction, WireError } from '../../solana/transaction.ts';
import { LedgerChain } from '../ledger-chain.ts';
import type { Fork } from './fork.ts';

/**
 * The chain of a forked ledger. Accounts that are read or named in a transaction are copied first. Searches
 * cover local accounts only.
 */
export class ForkedChain extends LedgerChain {
  readonly #fork: Fork;

  constructor(fork: Fork, ...chain: ConstructorParameters<typeof LedgerChain>) {
    super(...chain);
    this.#fork = fork;
  }

  override async getAccounts(addresses: readonly Address[]): Promise<readonly (Account | null)[]> {
    await this.#fork.ensure(addresses);
    return await super.getAccounts(addresses);
  }

  override async simulateTransaction(wire: Uint8Array, watch: readonly Address[]): Promise<SimulationResult> {
    await this.#copyNamed(wire, watch);
    return await super.simulateTransaction(wire, watch);
  }

  override async sendTransaction(wire: Uint8Array, token?: string, options?: SendOptions): Promise<string> {
    await this.#copyNamed(wire, []);
    return await super.sendTransaction(wire, token, options);
  }

  async #copyNamed(wire: Uint8Array, others: readonly Address[]): Promise<void> {
    try {
      const { staticKeys, lookups } = decodeTransaction(wire);
      await this.#fork.ensure([...staticKeys, ...others, ...lookups.map(({ table }) => table)], lookups);
    } catch (error) {
      // An undecodable transaction is left to the chain, which reports the error.
      if (!(error instanceof WireError)) throw error;
    }
  }
}
