import { ServiceError } from '../errors/service-error.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { AccountView } from '../ledger/state/account-state.ts';
import type { Clock } from '../ports/clock.ts';
import type { BaseLedger } from './base-ledger.ts';
import { baseGenesisHashOf } from './books/header.ts';
import { itemEntry } from './books/item.ts';
import {
  BASE_START,
  baseStartOf,
  isSameStart,
  ROLLUP_START,
  rollupStartOf,
  type Start,
} from './books/last-start.ts';

/** What a {@link Pairing} is of. */
interface PairingParts {
  readonly base: Pick<BaseLedger, 'genesisHash' | 'head' | 'state' | 'setOwnAccounts'>;
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'setOwnAccounts'>;
  readonly clock: Clock;
}

/** What is kept of two ledgers. */
interface KeptPair {
  readonly genesisHash: string;
  readonly base: Pick<AccountView, 'get'>;
  readonly rollup: Pick<AccountView, 'get'>;
}

/**
 * Why what is kept of a rollup does not go with what is kept of base; null where it does, or where it is left
 * from before base was reset. Each start is kept on both: one of them that was put back as it was earlier, or
 * is another ledger's, has another start than the one beside it.
 */
export function pairingFault({ genesisHash, base, rollup }: KeptPair): string | null {
  const onBase = baseStartOf(base, genesisHash);
  if (baseGenesisHashOf(rollup) !== genesisHash) {
    return onBase === null ? null : 'The rollup is that of another base ledger';
  }
  const kept = rollupStartOf(rollup);
  if (isSameStart(onBase, kept?.start ?? null) || isSameStart(onBase, kept?.before ?? null)) return null;
  return `The base ledger and the rollup are not of one moment: base was last started with its rollup ${sayStart(onBase)}, the rollup with its base ${sayStart(kept?.start ?? null)}`;
}

/** Sees to it that a rollup and its base ledger stay together from start to start. */
export class Pairing {
  readonly #parts: PairingParts;

  constructor(parts: PairingParts) {
    this.#parts = parts;
  }

  /** @throws {ServiceError} LEDGER_DAMAGED where the two do not go together: nothing was changed then. */
  assertTogether(): void {
    const { base, ledger } = this.#parts;
    const { genesisHash } = base;
    const fault = pairingFault({ genesisHash, base: base.state(), rollup: ledger.state() });
    if (fault === null) return;
    const remedy =
      'put back both as they were at one moment, when the program was stopped, or start with --reset to begin two new ones';
    throw new ServiceError(
      'LEDGER_DAMAGED',
      `${fault}. What was paid would be undone or paid twice: ${remedy}`,
    );
  }

  /**
   * Keeps this start on both; resolves once it is durable. Crash case: the rollup has it together with the
   * start before until base has it, so that either of them is known again.
   */
  async keepStart(): Promise<void> {
    const { base, ledger, clock } = this.#parts;
    const { genesisHash } = base;
    const before = baseStartOf(base.state(), genesisHash);
    const start = { slot: BigInt(base.head().slot), unixMs: BigInt(Math.trunc(clock.now())) };
    await ledger.setOwnAccounts([itemEntry(ROLLUP_START, { start, before })]);
    await base.setOwnAccounts([itemEntry(BASE_START, { genesisHash, start })]);
    await ledger.setOwnAccounts([itemEntry(ROLLUP_START, { start, before: start })]);
  }
}

function sayStart(start: Start | null): string {
  if (start === null) return 'never';
  // oxlint-disable-next-line no-restricted-globals -- writes a date, does not read the clock
  return `at ${new Date(Number(start.unixMs)).toISOString()} (slot ${start.slot} of base)`;
}
