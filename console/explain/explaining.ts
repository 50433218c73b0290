import { signal } from '../parts/signal.ts';
import { PaymentsError } from '../../src/client/index.ts';
import type { Explained } from './explain-input.ts';

/** What the right column shows. */
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

  /** @param who names the viewpoint that looks now. */
  shownTo(who: string): Shown {
    const { who: owner, shown } = this.#answer.value;
    return owner === who ? shown : NOTHING;
  }

  /** Asks as `who`. An answer to any question before this one is dropped. */
  async ask(who: string, explain: () => Promise<Explained>): Promise<void> {
    const question = ++this.#questions;
    this.#answer.value = { who, shown: { kind: 'asking' } };
    const shown = await explain().then(
      (explained): Shown => ({ kind: 'explained', explained }),
      (error: unknown) => failed(error),
    );
    if (question === this.#questions) this.#answer.value = { who, shown };
  }

  /** Forgets the answer, and drops the one that is on its way. */
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
