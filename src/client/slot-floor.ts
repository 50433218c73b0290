/** The header with the slots of ledgers, by name: `mainnet.base=312345678, mainnet.rollup=9876`. */
const HEADER = 'ledger-slot-floor';

/** Time for which a slot is sent after it was received, in ms. Every replica has reached it by then. */
const MEMORY_MS = 60_000;

interface Seen {
  readonly slot: number;
  readonly at: number;
}

/**
 * Extends a fetch that only calls one service. Each request repeats the slots of earlier responses, so that
 * no replica of the service answers from an older state than another replica did.
 *
 * @param now returns the time in ms.
 */
export function carrySlotFloor(fetch: typeof globalThis.fetch, now: () => number): typeof globalThis.fetch {
  const seen = new Map<string, Seen>();
  return async (input, init) => {
    const floor = writeFresh(seen, now() - MEMORY_MS);
    const headers = Object.fromEntries(new Headers(init?.headers));
    if (floor !== '') headers[HEADER] = floor;
    const response = await fetch(input, { ...init, headers });
    for (const member of response.headers.get(HEADER)?.split(',') ?? []) {
      const [, ledger = '', digits] = /^ *([a-z][a-z0-9_.-]*)=(\d{1,15}) *$/.exec(member) ?? [];
      const slot = Number(digits);
      // Responses may arrive in a different order from their requests.
      const known = seen.get(ledger);
      const isOlder = known !== undefined && known.at >= now() - MEMORY_MS && slot < known.slot;
      if (digits !== undefined && !isOlder) seen.set(ledger, { slot, at: now() });
    }
    return response;
  };
}

const writeFresh = (seen: ReadonlyMap<string, Seen>, from: number): string =>
  [...seen]
    .filter(([, { at }]) => at >= from)
    .map(([ledger, { slot }]) => `${ledger}=${slot}`)
    .join(', ');
