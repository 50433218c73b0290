import { createHmac } from 'node:crypto';
import type { TransactionRecord } from '../../ledger/execution.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import type { Guards } from './guards.ts';
import { hidingGuards } from './shown-record.ts';

/** Concealed names that are not worked out again. */
const KNOWN_MAX = 10_000;

/**
 * What a transaction of the rollup is listed under in the index of its history. One that names a private
 * account when it lands is listed under other names than the addresses it names, so that whoever looks under
 * an address comes upon nothing of it: not by its text, and not by the time it takes to pass it over.
 */
export class HistoryNames {
  readonly #secret: Uint8Array;
  readonly #guards: Guards;
  readonly #known = new Map<Address, Address>();

  /**
   * @param secret the same for as long as the history is kept; whoever has it could look under the concealed
   *   names.
   */
  constructor(secret: Uint8Array, guards: Guards) {
    this.#secret = secret;
    this.#guards = guards;
  }

  /** The names for a transaction with these keys, as of now, when it lands. */
  readonly namesOf = (keys: readonly Address[], record: TransactionRecord): readonly Address[] =>
    hidingGuards(record, this.#guards).length > 0 ? keys.map((key) => this.concealed(key)) : keys;

  /**
   * The name under which the private transactions of an address are listed: 32 bytes that cannot be guessed.
   */
  concealed(address: Address): Address {
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const name = concealedName(this.#secret, address);
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(address, name);
    return name;
  }
}

/** The concealed name of an address; `secret` is that of {@link HistoryNames}. */
function concealedName(secret: Uint8Array, address: Address): Address {
  return addressOf(createHmac('sha256', secret).update(address).digest());
}

/** What the secret of {@link HistoryNames} is derived for, from that of the base ledger. */
export const HISTORY_PURPOSE = 'rollup history';
