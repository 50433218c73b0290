import { concat } from '../../programs/instruction-data.ts';
import { CALLBACK_SIGNER, encodeMagicResponse } from '../../programs/magic/magic-call.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { BooksView } from '../books/books.ts';
import { deletedItem } from '../books/item.ts';
import { CALLBACK_CALL, type CallbackCall } from '../books/items.ts';
import { BackOff, type Job, logFailure, type SettlementContext } from './jobs.ts';

/**
 * Notifies programs on the rollup of the outcome of their requests on base. A callback is deleted from the
 * books in the commit of its run, so it runs once. A failed callback has changed nothing and is retried,
 * because tokens may depend on it.
 */
export class CallbackRunner implements Job {
  readonly #parts: SettlementContext;
  readonly #failed: BackOff<string>;

  constructor(parts: SettlementContext) {
    this.#parts = parts;
    this.#failed = new BackOff(parts.timer, () => parts.wake());
  }

  /** Callbacks that failed and will be retried. */
  get stalledCount(): number {
    return this.#calls().filter((call) => this.#failed.isHeld(keyOf(call))).length;
  }

  /** @throws {ServiceError} LEDGER_STOPPED. */
  async step(): Promise<boolean> {
    const call = this.#calls().find((each) => !this.#failed.isHeld(keyOf(each)));
    if (call === undefined) return false;
    const { runner, logger } = this.#parts;
    const err = await runner.run([instructionOf(call)], { also: [deletedItem(CALLBACK_CALL, call)] });
    if (err === null) this.#failed.forget(keyOf(call));
    else {
      const failures = this.#failed.hold(keyOf(call));
      const message =
        'CALLBACK FAILED: a program was not notified of the outcome of its request; the rollup retries';
      logFailure(logger, { reason: err, failures }, message);
    }
    return true;
  }

  releaseAll(): void {
    this.#failed.releaseAll();
  }

  close(): void {
    this.#failed.close();
  }

  #calls(): readonly CallbackCall[] {
    return new BooksView(this.#parts.ledger.state()).callbacks();
  }
}

const keyOf = ({ intentId, index }: CallbackCall): string => `${intentId}/${index}`;

/** Builds the callback's instruction. The callback signer signs; accounts that the program named do not. */
function instructionOf({ callback, ok, error, receipt }: CallbackCall): Instruction {
  const { program, discriminator, payload, accounts } = callback;
  return {
    programId: program,
    accounts: accounts.map(({ address, isWritable }) => ({
      address,
      signer: address === CALLBACK_SIGNER,
      writable: isWritable,
    })),
    data: concat(discriminator, encodeMagicResponse({ ok, payload, error, receipt })),
  };
}
