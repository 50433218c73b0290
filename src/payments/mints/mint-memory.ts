import { ServiceError } from '../../errors/service-error.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { MintFacts } from './mint-facts.ts';

/**
 * How long confirmed facts are used without a read, ms. This limits the effect of an upstream that lied
 * twice.
 */
export const CONFIRMED_MS = 5 * 60_000;

/** Mints remembered per chain. The oldest is dropped first. */
const MINTS_MAX = 1_024;

/** One reading of a mint. */
interface MintReading {
  readonly facts: MintFacts;
  /** Index of the URL that answered; undefined if there is only one. */
  readonly by: number | undefined;
  /** Whether the facts are confirmed by another source. */
  readonly isKnown: boolean;
}

/** The last reading, and when another one agreed with it; null while none has. */
type Remembered = Omit<MintReading, 'isKnown'> & { readonly confirmedAt: number | null };

/**
 * The answers about the mints of a chain. Facts are used from memory only after two readings agreed (from two
 * URLs if there are several), and only for a limited time. Then they must be confirmed again.
 */
export class MintMemory {
  readonly #mints = new Map<Address, Remembered>();

  /**
   * Facts that need no read at `now`, ms. Those of an SPL Token mint never change: the program neither closes
   * a mint nor changes its decimals. Token-2022 does close mints, so they are read each time.
   */
  confirmed(mint: Address, now: number): MintFacts | undefined {
    const remembered = this.#mints.get(mint);
    if (remembered === undefined || remembered.confirmedAt === null) return undefined;
    if (remembered.facts.tokenProgram !== TOKEN_PROGRAM) return undefined;
    const ageMs = now - remembered.confirmedAt;
    // After the clock was set back the age is negative and proves nothing.
    return ageMs >= 0 && ageMs <= CONFIRMED_MS ? remembered.facts : undefined;
  }

  /** The URL that last reported a mint. The next read should ask another one. */
  lastBy(mint: Address): number | undefined {
    return this.#mints.get(mint)?.by;
  }

  /**
   * Adds a reading made at `now`.
   *
   * @throws {ServiceError} MINT_FACTS_DISPUTED if it contradicts the previous one. Either may be wrong, so
   *   both are dropped.
   */
  take({ facts, by, isKnown }: MintReading, now: number): void {
    const { mint } = facts;
    const before = this.#mints.get(mint);
    if (before !== undefined && !isSame(before.facts, facts)) {
      this.#mints.delete(mint);
      throw disputed(before.facts, facts);
    }
    const isAgreed = before !== undefined && (by === undefined || by !== before.by);
    if (isKnown || isAgreed) this.#store({ facts, by, confirmedAt: now });
    else if (before === undefined) this.#store({ facts, by, confirmedAt: null });
  }

  #store(remembered: Remembered): void {
    const { mint } = remembered.facts;
    if (!this.#mints.has(mint) && this.#mints.size >= MINTS_MAX) {
      this.#mints.delete(this.#mints.keys().next().value as Address);
    }
    this.#mints.set(mint, remembered);
  }
}

const isSame = (left: MintFacts, right: MintFacts): boolean =>
  left.decimals === right.decimals && left.tokenProgram === right.tokenProgram;

function disputed(before: MintFacts, now: MintFacts): ServiceError {
  const { mint } = now;
  return new ServiceError(
    'MINT_FACTS_DISPUTED',
    `mint ${mint} was ${wordsOf(before)} in an earlier reading, and is ${wordsOf(now)} now. Try again, and let the operator check the RPC URLs if this error returns`,
    { field: 'mint', mint, before: wordsOf(before), now: wordsOf(now) },
  );
}

const wordsOf = ({ tokenProgram, decimals }: MintFacts): string =>
  `of ${decimals} decimals and ${tokenProgram}`;
