import { failureFields } from '../errors/failure-fields.ts';
import type { Logger } from '../ports/logger.ts';
import type { CallTable, WireAnswer, WireCall } from './calls.ts';
import { atEndOfTurn } from './end-of-turn.ts';
import { faultOf } from './fault.ts';

type Run = (...args: unknown[]) => unknown;

/**
 * Answers the calls of another process. At the end of the turn in which calls arrived it sends the answers
 * known by then, even if there are none: the client waits for this message before it sends more. Later
 * answers follow when they are known.
 */
export class CallServer<Calls extends CallTable<Calls>> {
  readonly #calls: Readonly<Record<string, Run>>;
  readonly #post: (answers: readonly WireAnswer[]) => void;
  readonly #logger: Logger;
  #batch: WireAnswer[] = [];
  #isSending = false;

  /** `post` sends one message. */
  constructor(calls: Partial<Calls>, post: (answers: readonly WireAnswer[]) => void, logger: Logger) {
    this.#calls = calls as unknown as Readonly<Record<string, Run>>;
    this.#post = post;
    this.#logger = logger;
  }

  /** Handles a message of calls. */
  take(calls: readonly WireCall[]): void {
    this.#sendSoon();
    for (const call of calls) void this.#serve(call);
  }

  async #serve([id, name, ...args]: WireCall): Promise<void> {
    try {
      if (this.#calls[name] === undefined) throw new Error(`there is no call ${name}`);
      this.#answer([id, await this.#calls[name](...args)]);
    } catch (error) {
      const fault = faultOf(error);
      if (fault === null)
        this.#logger.error({ call: name, ...failureFields(error) }, 'a call of a worker failed');
      this.#answer([id, undefined, fault]);
    }
  }

  #answer(answer: WireAnswer): void {
    this.#batch.push(answer);
    this.#sendSoon();
  }

  #sendSoon(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    atEndOfTurn(() => this.#send());
  }

  #send(): void {
    this.#isSending = false;
    const answers = this.#batch;
    this.#batch = [];
    this.#post(answers);
  }
}
