import type { CallTable, WireAnswer, WireCall } from './calls.ts';
import { atEndOfTurn } from './end-of-turn.ts';
import { errorOf } from './fault.ts';

interface Pending {
  readonly name: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Calls another process. All calls of one turn of the event loop share a message, and so do all calls made
 * until the last message is answered: a message costs more than a call in it, so the cost per call falls
 * under load.
 */
export class CallClient<Calls extends CallTable<Calls>> {
  readonly #post: (calls: readonly WireCall[]) => void;
  readonly #pending = new Map<number, Pending>();
  #batch: (() => WireCall)[] = [];
  #isSending = false;
  #lastId = 0;

  /** `post` sends one message. */
  constructor(post: (calls: readonly WireCall[]) => void) {
    this.#post = post;
  }

  /**
   * Calls by name.
   *
   * @throws {ServiceError} that the other process threw; Error when it failed otherwise.
   */
  call<Name extends keyof Calls & string>(
    name: Name,
    ...args: Parameters<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>> {
    return this.callLate(name, () => args);
  }

  /** The same, with arguments that are computed when the message is sent. */
  callLate<Name extends keyof Calls & string>(
    name: Name,
    readArgs: () => Parameters<Calls[Name]>,
  ): Promise<Awaited<ReturnType<Calls[Name]>>> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#pending.set(id, { name, resolve: resolve as Pending['resolve'], reject });
      this.#batch.push(() => [id, name, ...readArgs()]);
      this.#sendSoon();
    });
  }

  /** Handles a message of answers. */
  take(answers: readonly WireAnswer[]): void {
    for (const [id, value, fault] of answers) {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      if (fault === undefined) pending?.resolve(value);
      else if (fault !== null) pending?.reject(errorOf(fault));
      else pending?.reject(new Error(`the process of the ledger failed to answer ${pending.name}`));
    }
    this.#isSending = false;
    if (this.#batch.length > 0) this.#sendSoon();
  }

  #sendSoon(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    atEndOfTurn(() => this.#send());
  }

  #send(): void {
    const calls = this.#batch.map((write) => write());
    this.#batch = [];
    this.#post(calls);
  }
}
