import type { SeenSlots } from '../payments/seen-slots.ts';

/** Maximum length of the header that is read, in characters. */
const LENGTH_MAX = 1_024;

/** A member of a dictionary whose value is an integer (RFC 9651, sections 3.2 and 3.3.1). */
const MEMBER = /^[ \t]*([a-z*][a-z0-9_.*-]*)=(\d{1,15})[ \t]*$/;

/**
 * The header `Ledger-Slot-Floor: mainnet.base=312345678, mainnet.rollup=9876`, a dictionary of slots by
 * ledger (RFC 9651). A response has the slots that it may be from. A request repeats them, so that no replica
 * answers from an earlier slot.
 */
export class SlotFloorHeader implements SeenSlots {
  readonly #seen = new Map<string, number>();
  readonly #reported = new Map<string, number>();

  /** @param text the header of the request. A malformed header is ignored (RFC 9651, section 4.2). */
  constructor(text: string | string[] | undefined) {
    if (typeof text !== 'string' || text.length > LENGTH_MAX) return;
    const members = text.split(',').map((member) => MEMBER.exec(member));
    if (members.includes(null)) return;
    for (const [, ledger = '', slot] of members as RegExpExecArray[]) this.#seen.set(ledger, Number(slot));
  }

  of(ledger: string): number | undefined {
    return this.#seen.get(ledger);
  }

  report(ledger: string, slot: number): void {
    this.#reported.set(ledger, slot);
  }

  /** The header of the response; undefined if it has none. */
  get text(): string | undefined {
    if (this.#reported.size === 0) return undefined;
    return [...this.#reported].map(([ledger, slot]) => `${ledger}=${slot}`).join(', ');
  }
}
