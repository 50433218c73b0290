import { ServiceError } from '../../errors/service-error.ts';
import { NATIVE_LOADER, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { LiteSvmEngine } from '../engine/litesvm-engine.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import { isProgramData } from '../genesis/program-accounts.ts';

/** An address that is to be set, and the flag that asks for it, for messages. */
export type Wanted = readonly [address: Address, origin: string];

/** The accounts a ledger has of its own, besides those built into the engine. */
interface OwnParts {
  /** Its genesis accounts. */
  readonly seeded: Iterable<AccountEntry>;
  /** The accounts of its faucet and its validator. */
  readonly keys: Iterable<Address>;
}

const FROM_ENGINE = 'which every ledger has built in. Give another address, or leave it out';
const FROM_GENESIS =
  'with which the ledger begins. Give another address, or have a new ledger begin without it by --no-genesis-programs';
const FROM_KEYS = "which is the ledger's own faucet or validator. Give another address";

/**
 * The accounts a ledger has of its own, which no flag may replace. Payments tested on a foreign program or
 * mint at a well-known address would prove nothing about the network.
 */
export class OwnAccounts {
  /** How each account got there, by address. */
  readonly #words = new Map<Address, string>();

  constructor({ seeded, keys }: OwnParts) {
    this.#words.set(NATIVE_LOADER, `the native loader, ${FROM_ENGINE}`);
    for (const [address, account] of seeded) {
      this.#words.set(address, `${kindOf(account)}, ${FROM_GENESIS}`);
    }
    for (const key of keys) this.#words.set(key, `an account, ${FROM_KEYS}`);
    for (const [address, account] of new LiteSvmEngine().builtinAccounts()) {
      this.#words.set(address, `${kindOf(account)}, ${FROM_ENGINE}`);
    }
  }

  has(address: Address): boolean {
    return this.#wordsAt(address) !== undefined;
  }

  /** @throws {ServiceError} PROVISION_INVALID naming the first address that belongs to the ledger itself. */
  refuse(wanted: Iterable<Wanted>): void {
    for (const [address, origin] of wanted) {
      const words = this.#wordsAt(address);
      if (words === undefined) continue;
      throw new ServiceError(
        'PROVISION_INVALID',
        `${origin} cannot be put at ${address}: there is ${words}`,
        { account: address },
      );
    }
  }

  #wordsAt(address: Address): string | undefined {
    // No key pair can be found whose address starts like this, so it is a sysvar. The engine does not have
    // accounts for all of them.
    return address.startsWith('Sysvar') ? `a sysvar, ${FROM_ENGINE}` : this.#words.get(address);
  }
}

function kindOf(account: Account): string {
  if (account.owner === NATIVE_LOADER) return 'a native program';
  if (account.executable) return 'a program';
  if (isProgramData(account)) return 'the code of a program';
  if (account.owner === TOKEN_PROGRAM) return 'a mint';
  return account.owner === SYSTEM_PROGRAM ? 'a wallet' : 'an account';
}
