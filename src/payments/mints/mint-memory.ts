import { ServiceError } from '../../errors/service-error.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { MintFacts } from './mint-facts.ts';

/**
 * For how long facts that were confirmed are given out without a reading, ms. An upstream that told a
 * falsehood twice, and a process beside this one that was told another, have done with it after that.
 */
export const CONFIRMED_MS = 5 * 60_000;

/** Mints remembered for each chain; the oldest goes first. */
const MINTS_MAX = 1_024;

/** What was read of a mint. */
interface MintReading {
  readonly facts: MintFacts;
  /** Which of several URLs told; undefined where there is only one. */
  readonly by: number | undefined;
  /** Whether the facts are known to be true from elsewhere. */
  readonly isKnown: boolean;
}

/** What was read last, and when another reading agreed with it; null while none has. */
type Remembered = Omit<MintReading, 'isKnown'> & { readonly confirmedAt: number | null };

/**
 * What the mints of one chain were said to be. Facts are given out from memory once two readings agreed on
 * them, by two URLs where there are several, and for a while only; then they have to be confirmed again.
 */
export class MintMemory {
  readonly #mints = new Map<Address, Remembered>();

  /**
   * Facts that need not be read at `now`, ms. Those of an SPL Token mint never change: the program neither
   * closes a mint nor sets its decimals twice. Token-2022 closes mints, so that theirs are read each time.
   */
  confirmed(mint: Address, now: number): MintFacts | undefined {
    const remembered = this.#mints.get(mint);
    if (remembered === undefined || remembered.confirmedAt === null) return undefined;
    if (remembered.facts.tokenProgram !== TOKEN_PROGRAM) return undefined;
    const ageMs = now - remembered.confirmedAt;
    // A clock that was set back makes the age negative, which says nothing.
    return ageMs >= 0 && ageMs <= CONFIRMED_MS ? remembered.facts : undefined;
  }

  /** Which URL told last of a mint: another one should be asked next. */
  lastBy(mint: Address): number | undefined {
    return this.#mints.get(mint)?.by;
  }

  /**
   * Takes what was read at `now`.
   *
   * @throws {ServiceError} MINT_FACTS_DISPUTED when it was read otherwise before. Nobody can tell which is
   *   true, so that both are forgotten.
   */
  take({ facts, by, isKnown }: MintReading, now: number): void {
    const { mint } = facts;
    const before = this.#mints.get(mint);
    if (before !== undefined && !isSame(before.facts, facts)) {
      this.#mints.delete(mint);
      throw disputed(before.facts, facts);
    }
    const isAgreed = before !== undefined && (by === undefined || by !== before.by);
    if (isKnown || isAgreed) this.#keep({ facts, by, confirmedAt: now });
    else if (before === undefined) this.#keep({ facts, by, confirmedAt: null });
  }

  #keep(remembered: Remembered): void {
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
    `mint ${mint} was ${wordsOf(before)} when it was read before, and is ${wordsOf(now)} now; ask again, and let the operator check the RPC URLs when this comes back`,
    { field: 'mint', mint, before: wordsOf(before), now: wordsOf(now) },
  );
}

const wordsOf = ({ tokenProgram, decimals }: MintFacts): string =>
  `of ${decimals} decimals and ${tokenProgram}`;
