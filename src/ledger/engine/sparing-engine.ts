import { BPF_LOADER_UPGRADEABLE, SYSVAR_OWNER } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { GONE } from '../run/account-states.ts';
import { isInPieces } from '../state/account-data.ts';
import type { Engine, EngineRun } from './engine.ts';

/** From this size on an account is large, bytes. Setting one of this size in the engine takes about 20 us. */
const LARGE_BYTES = 64 * 1024;

/**
 * Bytes of large accounts the engine may hold: as much as one transaction may load (Agave
 * `MAX_LOADED_ACCOUNTS_DATA_SIZE_BYTES`).
 */
const HELD_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Stands in the engine for a large account: an empty wallet. Removing an account instead would copy it, as
 * the engine checks whether it is a program.
 */
const PLACEHOLDER: Account = { ...GONE, lamports: 1n };

/** Reads large accounts from the ledger. */
type Read = (address: Address) => Account | undefined;

/**
 * An engine that holds large accounts only while they are in use. The ledger has all accounts anyway, in
 * memory or on the disk; a second copy of each would take as much memory and slow down opening. Before a run
 * the engine receives the large accounts it lacks; the least recently used ones are removed when they exceed
 * the limit, and those written without the engine ({@link isInPieces}) at once.
 */
export class SparingEngine implements Engine {
  readonly #engine: Engine;
  readonly #read: Read;
  readonly #heldBytesMax: number;
  /** Sizes of the large accounts in the engine, least recently used first. */
  readonly #held = new Map<Address, number>();
  #heldBytes = 0;
  /** The large accounts that are not in the engine. */
  readonly #away = new Set<Address>();

  /** @param read the current accounts; must agree with what was set here whenever something runs. */
  constructor(engine: Engine, read: Read, heldBytesMax = HELD_BYTES_MAX) {
    this.#engine = engine;
    this.#read = read;
    this.#heldBytesMax = heldBytesMax;
  }

  /** Bytes of large accounts that the engine holds. */
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

  /** A run may need more than the limit, so it is enforced afterwards. */
  #makeRoom(): void {
    for (const address of this.#held.keys()) {
      if (this.#heldBytes <= this.#heldBytesMax) break;
      this.#putAway(address);
    }
  }
}

/**
 * The size of a large account. 0 for any other, and for accounts that the engine reads although no
 * transaction names them.
 */
function largeBytes({ data, executable, owner }: Account): number {
  const isKept = executable || owner === BPF_LOADER_UPGRADEABLE || owner === SYSVAR_OWNER;
  return isKept || data.length < LARGE_BYTES ? 0 : data.length;
}
