import type { Address } from '@solana/kit';
import type { Person } from './person.ts';

/** A mint of the story. */
export interface Mint {
  readonly name: string;
  readonly address: Address;
  readonly decimals: number;
}

/** Where tokens can be. */
export type Place = 'base' | 'rollup';

interface Holding {
  readonly person: Person;
  readonly mint: Mint;
  readonly amounts: Record<Place, bigint>;
}

/** What everybody must have, base unit for base unit, kept beside what the two ledgers say. */
export class Book {
  readonly #holdings: Holding[] = [];

  /** Opens an account with what somebody has on base. */
  open(person: Person, mint: Mint, amount: bigint): void {
    this.#holdings.push({ person, mint, amounts: { base: amount, rollup: 0n } });
  }

  amountOf(person: Person, mint: Mint, place: Place): bigint {
    return this.#find(person, mint).amounts[place];
  }

  /** Writes down that tokens went from one place to another, perhaps somebody else's. */
  move(mint: Mint, amount: bigint, from: readonly [Person, Place], to: readonly [Person, Place]): void {
    this.#find(from[0], mint).amounts[from[1]] -= amount;
    this.#find(to[0], mint).amounts[to[1]] += amount;
  }

  /** Reads every balance on both ledgers, prints them, and fails at the first that is another than in the book. */
  async check(): Promise<void> {
    for (const { person, mint, amounts } of this.#holdings) {
      const asked = { address: person.address, mint: mint.address };
      const [base, rollup] = await Promise.all([
        person.call<{ balance: string }>('spl.getBalance', asked),
        person.call<{ balance: string }>('spl.getPrivateBalance', asked),
      ]);
      const read = { base: BigInt(base.balance), rollup: BigInt(rollup.balance) };
      const shown = (place: Place): string => formatAmount(read[place], mint.decimals).padStart(18);
      console.log(
        `   ${person.name.padEnd(7)}${mint.name.padEnd(6)}${shown('base')} on base${shown('rollup')} on the rollup`,
      );
      for (const place of ['base', 'rollup'] as const) {
        if (read[place] !== amounts[place]) {
          throw new Error(
            `${person.name} has ${read[place]} base units of ${mint.name} on ${place} and should have ${amounts[place]}`,
          );
        }
      }
    }
  }

  #find(person: Person, mint: Mint): Holding {
    const found = this.#holdings.find((each) => each.person === person && each.mint === mint);
    if (found === undefined) throw new Error(`${person.name} has no account of ${mint.name}`);
    return found;
  }
}

/** Base units as people write them. */
export function formatAmount(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
