import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { KeptEngines } from '../engine/kept-engines.ts';
import type { AccountEntry, Genesis } from '../genesis/genesis.ts';

/**
 * The engines of scenes that are opened one after the other, hundreds of times in one process. Creating an
 * engine and compiling its programs takes longer than most of what a scene is opened for, so a scene has
 * those of one that is closed, as a localnet has after a reset.
 */
export class SceneEngines {
  readonly #idle: KeptEngines[] = [];
  readonly #code = new Map<Address, Account>();

  /** Where the ledgers of one scene get their engines from, until both are closed and give them back. */
  lend(): { readonly engines: KeptEngines; giveBack(): void } {
    const engines = this.#idle.pop() ?? new KeptEngines();
    let isLent = true;
    return {
      engines,
      giveBack: () => {
        if (!isLent) return;
        isLent = false;
        engines.takeBack();
        this.#idle.push(engines);
      },
    };
  }

  /**
   * A genesis whose programs are the same objects each time: by that an engine knows what it has compiled.
   */
  sharing(genesis: Genesis): Genesis {
    return {
      ...genesis,
      accounts: async (...keys) =>
        Array.from(await genesis.accounts(...keys), ([address, account]): AccountEntry => [
          address,
          this.#known(address, account),
        ]),
    };
  }

  #known(address: Address, account: Account): Account {
    const known = this.#code.get(address);
    if (known !== undefined && isSame(known, account)) return known;
    this.#code.set(address, account);
    return account;
  }
}

const isSame = (one: Account, other: Account): boolean =>
  one.lamports === other.lamports &&
  one.owner === other.owner &&
  one.executable === other.executable &&
  one.rentEpoch === other.rentEpoch &&
  Buffer.compare(one.data, other.data) === 0;
