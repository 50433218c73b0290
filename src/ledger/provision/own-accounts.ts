import { ServiceError } from '../../errors/service-error.ts';
import { NATIVE_LOADER } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { LiteSvmEngine } from '../engine/litesvm-engine.ts';
import type { AccountEntry } from '../genesis/genesis.ts';

/** A requested address, and the flag that requests it, for messages. */
export type Wanted = readonly [address: Address, origin: string];

/**
 * A ledger's own accounts, which no flag may replace. Payments tested on a foreign program or mint at a
 * well-known address would prove nothing about the network.
 */
export class OwnAccounts {
  readonly #addresses: ReadonlySet<Address>;

  /**
   * @param genesis the accounts of its genesis.
   * @param keys the accounts of its faucet and its validator.
   */
  constructor(genesis: Iterable<AccountEntry>, keys: Iterable<Address>) {
    const builtin = new LiteSvmEngine().builtinAccounts();
    const addresses = [...genesis, ...builtin].map(([address]) => address);
    this.#addresses = new Set([NATIVE_LOADER, ...addresses, ...keys]);
  }

  has(address: Address): boolean {
    // No key pair can be found whose address starts like this, so it is a sysvar. The engine does not have
    // accounts for all of them.
    return address.startsWith('Sysvar') || this.#addresses.has(address);
  }

  /** @throws {ServiceError} PROVISION_INVALID naming the first address that belongs to the ledger itself. */
  refuse(wanted: Iterable<Wanted>): void {
    for (const [address, origin] of wanted) {
      if (!this.has(address)) continue;
      throw new ServiceError(
        'PROVISION_INVALID',
        `${origin} cannot be set at ${address}, where the ledger has an account of its own. Pass another address (--no-genesis-programs creates a ledger without the programs and mints of private payments)`,
        { account: address },
      );
    }
  }
}
