import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import type { TransactionError } from '../../ledger/transaction-error.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Timer } from '../../ports/timer.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { BaseLedger } from '../base-ledger.ts';
import { BooksView } from '../books/books.ts';
import { goneRescueEntry, sentRescueEntry } from '../books/entries.ts';
import type { Rescue } from '../books/rescue.ts';
import { admitValidator } from '../validator-accounts.ts';
import { BackOff } from './back-off.ts';
import type { Duty } from './duties.ts';
import type { HaltedMints } from './halted-mints.ts';
import { rescuedMint, rescueInstructions } from './rescue-instructions.ts';
import { markOf, signSettlement } from './settlement-transaction.ts';
import { tellSetback } from './tell-setback.ts';

/** What a {@link RescueSettler} needs. */
interface RescueSettlerParts {
  readonly base: BaseLedger;
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'setOwnAccounts'>;
  readonly validator: Keypair;
  readonly random: Random;
  readonly timer: Timer;
  readonly logger: Logger;
  readonly halted: HaltedMints;
  /** Told when something that had to wait may be done. */
  readonly wake: () => void;
}

/**
 * Gives back on base what came to the rollup with actions that cannot be run, as it came: the tokens of a
 * shuttle go to its owner in the same transaction. The signature is in the books before it is submitted.
 * Nothing is given back of a mint that is halted, or whose vault does not cover what is owed.
 */
export class RescueSettler implements Duty {
  readonly #parts: RescueSettlerParts;
  readonly #stalled: BackOff;

  constructor(parts: RescueSettlerParts) {
    this.#parts = parts;
    this.#stalled = new BackOff(parts.timer, () => parts.wake());
  }

  /** Rescues that base did not take and that will be tried again. */
  get stalledCount(): number {
    return this.#rescues().filter(({ account }) => this.#stalled.isHeld(account)).length;
  }

  /** @throws {ServiceError} LEDGER_STOPPED. */
  async step(): Promise<boolean> {
    const rescue = this.#rescues().find(({ account }) => !this.#hasToWait(account));
    if (rescue === undefined) return false;
    await this.#carryOut(rescue);
    return true;
  }

  /** Lets all be tried again that failed. */
  releaseAll(): void {
    this.#stalled.releaseAll();
  }

  close(): void {
    this.#stalled.close();
  }

  #hasToWait(account: Address): boolean {
    if (this.#stalled.isHeld(account)) return true;
    const { base, halted } = this.#parts;
    const mint = rescuedMint(account, base.state());
    return mint !== null && halted.has(mint.mint);
  }

  #rescues(): readonly Rescue[] {
    return new BooksView(this.#parts.ledger.state()).rescues();
  }

  async #carryOut(rescue: Rescue): Promise<void> {
    const { base, ledger, validator, random, halted } = this.#parts;
    const { account } = rescue;
    if (base.state().get(account)?.owner !== DELEGATION_PROGRAM) {
      // It has been given back, by whomever.
      this.#stalled.forget(account);
      await ledger.setOwnAccounts([goneRescueEntry(account)]);
      return;
    }
    await admitValidator(base, validator.address);
    // The rollup may have begun anew.
    if (new BooksView(ledger.state()).rescueOf(account) === null) return;
    const mint = rescuedMint(account, base.state());
    if (mint !== null && !halted.admits([mint])) return;
    const instructions = rescueInstructions(account, base.state(), validator.address);
    if (instructions === null) return this.#stall(account, 'its delegation on base cannot be read');
    const signing = { validator, blockhash: base.head().blockhash, mark: markOf(random) };
    const transaction = signSettlement(instructions, signing);
    const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
    await ledger.setOwnAccounts([sentRescueEntry({ ...rescue, signature })]);
    const { err } = await base.submit(transaction);
    if (err === null) this.#stalled.forget(account);
    else this.#stall(account, err);
  }

  #stall(account: Address, reason: TransactionError): void {
    const failures = this.#stalled.hold(account);
    const message =
      'SETTLEMENT STALLED: a shuttle whose actions failed could not be given back; it is tried again';
    tellSetback(this.#parts.logger, { reason, failures }, message);
  }
}
