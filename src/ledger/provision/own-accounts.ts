import { ServiceError } from '../../errors/service-error.ts';
import { NATIVE_LOADER, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { LiteSvmEngine } from '../engine/litesvm-engine.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import { isProgramData } from '../genesis/program-accounts.ts';

/** An address that something is to be put at, and what asks for that, for messages. */
export type Wanted = readonly [address: Address, origin: string];

/** What a ledger has of its own besides what its engine has built in. */
interface OwnParts {
  /** What it begins with. */
  readonly seeded: Iterable<AccountEntry>;
  /** Accounts of its faucet and its validator. */
  readonly keys: Iterable<Address>;
}

const FROM_ENGINE = 'which every ledger has built in. Give another address, or leave it out';
const FROM_GENESIS =
  'with which the ledger begins. Give another address, or have a new ledger begin without it by --no-genesis-programs';
const FROM_KEYS = "which is the ledger's own faucet or validator. Give another address";

/**
 * What a ledger has of its own, and no flag may replace: payments that run on a program or a mint of somebody
 * else under a well-known address would show nothing of what they do on the network.
 */
export class OwnAccounts {
  /** What is there and how it got there, by address. */
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

  /** @throws {ServiceError} PROVISION_INVALID naming the first that is at an address of the ledger's own. */
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
    // No key but those of sysvars can be found to begin so; the engine does not have all of them as accounts.
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
