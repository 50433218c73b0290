import { BPF_LOADER_UPGRADEABLE, SYSVAR_OWNER } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { GONE } from '../run/account-states.ts';
import { isInPieces } from '../state/account-data.ts';
import type { Engine, EngineRun } from './engine.ts';

/**
 * Bytes of data from which on an account is large: giving one of that size to the engine costs some 20 us.
 */
const LARGE_BYTES = 64 * 1024;

/**
 * Bytes of large accounts the engine may keep: what one transaction may load (Agave
 * `MAX_LOADED_ACCOUNTS_DATA_SIZE_BYTES`).
 */
const HELD_BYTES_MAX = 64 * 1024 * 1024;

/**
 * What the engine has in place of a large account: an empty wallet. It copies what it is to remove, to see
 * whether that is a program.
 */
const PLACEHOLDER: Account = { ...GONE, lamports: 1n };

/** What large accounts are read from. */
type Read = (address: Address) => Account | undefined;

/**
 * An engine that has large accounts only while they are used. The ledger has all accounts in memory anyway,
 * and a second copy of everything would be made each time it is opened. What a run names and the engine lacks
 * is given to it right before; what was used least lately is taken away where there is too much, and what is
 * written without it ({@link isInPieces}) at once.
 */
export class SparingEngine implements Engine {
  readonly #engine: Engine;
  readonly #read: Read;
  readonly #heldBytesMax: number;
  /** Bytes of the large accounts the engine has; those used last come last. */
  readonly #held = new Map<Address, number>();
  #heldBytes = 0;
  /** The large accounts it does not have. */
  readonly #away = new Set<Address>();

  /**
   * @param read the accounts as they are at present; has to agree with what was set here whenever something
   *   runs.
   */
  constructor(engine: Engine, read: Read, heldBytesMax = HELD_BYTES_MAX) {
    this.#engine = engine;
    this.#read = read;
    this.#heldBytesMax = heldBytesMax;
  }

  /** Bytes of large accounts the engine has a copy of. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  builtinAccounts(): Iterable<readonly [Address, Account]> {
    return this.#engine.builtinAccounts();
  }

  setAccount(address: Address, account: Account): void {
    // A buffer is written thousands of times before anything runs on it.
    if (isInPieces(account)) return this.#away.has(address) ? undefined : this.#putAway(address);
    const bytes = account.lamports === 0n ? 0 : largeBytes(account);
    const held = this.#heldBytes - (this.#held.get(address) ?? 0) + bytes;
    if (bytes > 0 && held > this.#heldBytesMax) this.#putAway(address);
    else this.#give(address, account, bytes);
  }

  hasValidSignatures(transaction: Transaction): boolean {
    return this.#engine.hasValidSignatures(transaction);
  }

  run(transaction: Transaction, blockhash: Uint8Array, addresses: readonly Address[]): EngineRun {
    for (const { table } of transaction.lookups) this.#bring(table);
    for (const address of addresses) this.#bring(address);
    try {
      return this.#engine.run(transaction, blockhash, addresses);
    } finally {
      this.#makeRoom();
    }
  }

  /** Loads an account into the engine if it is missing, and marks it as used. */
  #bring(address: Address): void {
    const bytes = this.#held.get(address);
    if (bytes !== undefined) {
      this.#held.delete(address);
      this.#held.set(address, bytes);
    } else if (this.#away.has(address)) {
      const account = this.#read(address) ?? GONE;
      this.#give(address, account, largeBytes(account));
    }
  }

  #give(address: Address, account: Account, bytes: number): void {
    this.#engine.setAccount(address, account);
    this.#away.delete(address);
    this.#note(address, bytes);
  }

  #putAway(address: Address): void {
    this.#engine.setAccount(address, PLACEHOLDER);
    this.#away.add(address);
    this.#note(address, 0);
  }

  #note(address: Address, bytes: number): void {
    this.#heldBytes += bytes - (this.#held.get(address) ?? 0);
    this.#held.delete(address);
    if (bytes > 0) this.#held.set(address, bytes);
  }

  /** A run may name more than may stay. */
  #makeRoom(): void {
    for (const address of this.#held.keys()) {
      if (this.#heldBytes <= this.#heldBytesMax) break;
      this.#putAway(address);
    }
  }
}

/**
 * The bytes of a large account; 0 for all others, and for what the engine looks at though no transaction
 * names it.
 */
function largeBytes({ data, executable, owner }: Account): number {
  const isKept = executable || owner === BPF_LOADER_UPGRADEABLE || owner === SYSVAR_OWNER;
  return isKept || data.length < LARGE_BYTES ? 0 : data.length;
}
