import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import { concat } from '../../programs/instruction-data.ts';
import { CALLBACK_SIGNER, encodeMagicResponse } from '../../programs/magic/magic-call.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { BooksView } from '../books/books.ts';
import type { CallbackCall } from '../books/callback-call.ts';
import { ranCallbackEntry } from '../books/entries.ts';
import type { OwnRunner } from '../execution/run-own.ts';
import { BackOff } from './back-off.ts';
import type { Duty } from './duties.ts';
import { tellSetback } from './tell-setback.ts';

/** What a {@link CallbackRunner} needs. */
interface CallbackRunnerParts {
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state'>;
  readonly runner: Pick<OwnRunner, 'run'>;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Told when something that had to wait may be done. */
  readonly wake: () => void;
}

/**
 * Tells programs on the rollup what became on base of what they asked for. A callback leaves the books in the
 * commit of its run, so that it runs once whatever happens. One that fails has changed nothing and is tried
 * again: tokens may hang on it.
 */
export class CallbackRunner implements Duty {
  readonly #parts: CallbackRunnerParts;
  readonly #failed: BackOff<string>;

  constructor(parts: CallbackRunnerParts) {
    this.#parts = parts;
    this.#failed = new BackOff(parts.timer, () => parts.wake());
  }

  /** Callbacks that failed and will be tried again. */
  get stalledCount(): number {
    return this.#calls().filter((call) => this.#failed.isHeld(keyOf(call))).length;
  }

  /** @throws {ServiceError} LEDGER_STOPPED. */
  async step(): Promise<boolean> {
    const call = this.#calls().find((each) => !this.#failed.isHeld(keyOf(each)));
    if (call === undefined) return false;
    const { runner, logger } = this.#parts;
    const { err } = await runner.run([instructionOf(call)], { also: [ranCallbackEntry(call)] });
    if (err === null) this.#failed.forget(keyOf(call));
    else {
      const failures = this.#failed.hold(keyOf(call));
      const message =
        'CALLBACK FAILED: a program could not be told what became of its request; it is tried again';
      tellSetback(logger, { reason: err, failures }, message);
    }
    return true;
  }

  close(): void {
    this.#failed.close();
  }

  #calls(): readonly CallbackCall[] {
    return new BooksView(this.#parts.ledger.state()).callbacks();
  }
}

const keyOf = ({ intentId, index }: CallbackCall): string => `${intentId}/${index}`;

/** Of the accounts the program named, the callback's own signer signs, and nobody else. */
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
