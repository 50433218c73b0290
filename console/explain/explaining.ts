import { signal } from '../parts/signal.ts';
import { PaymentsError } from '../../src/client/index.ts';
import type { Explained } from './explain-input.ts';

/** Content of the right column. */
export type Shown =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'explained'; readonly explained: Explained }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | null };

const NOTHING: Shown = { kind: 'nothing' };

/** The latest answer, shown only to the viewpoint that requested it, however late it arrives. */
export class Explaining {
  readonly #answer = signal<{ readonly who: string; readonly shown: Shown }>({ who: '', shown: NOTHING });
  #questions = 0;

  /** @param who the current viewpoint and wallet. */
  shownTo(who: string): Shown {
    const { who: owner, shown } = this.#answer.value;
    return owner === who ? shown : NOTHING;
  }

  /** Requests an explanation as `who`. Answers to earlier requests are dropped. */
  async ask(who: string, explain: () => Promise<Explained>): Promise<void> {
    const question = ++this.#questions;
    this.#answer.value = { who, shown: { kind: 'asking' } };
    const shown = await explain().then(
      (explained): Shown => ({ kind: 'explained', explained }),
      (error: unknown) => failed(error),
    );
    if (question === this.#questions) this.#answer.value = { who, shown };
  }

  /** Drops the answer and any pending one. */
  forget(): void {
    this.#questions++;
    this.#answer.value = { who: '', shown: NOTHING };
  }
}

function failed(error: unknown): Shown {
  if (error instanceof PaymentsError) {
    return { kind: 'failed', message: error.message, code: error.serviceCode ?? error.code };
  }
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error), code: null };
}
