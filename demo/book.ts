import type { Address } from '@solana/kit';
import type { Person } from './person.ts';

/** A mint of the demo. */
export interface Mint {
  readonly name: string;
  readonly address: Address;
  readonly decimals: number;
}

/**
 * Where tokens can be: `returning` between an undelegation and its settlement, when either ledger may show
 * them, and `settled` from then until they are withdrawn.
 */
export type Place = 'base' | 'rollup' | 'returning' | 'settled';

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
    this.#holdings.push({ person, mint, amounts: { base: amount, rollup: 0n, returning: 0n, settled: 0n } });
  }

  amountOf(person: Person, mint: Mint, place: Place): bigint {
    return this.#find(person, mint).amounts[place];
  }

  /** Writes down that tokens went from one place to another, perhaps somebody else's. */
  move(mint: Mint, amount: bigint, from: readonly [Person, Place], to: readonly [Person, Place]): void {
    this.#find(from[0], mint).amounts[from[1]] -= amount;
    this.#find(to[0], mint).amounts[to[1]] += amount;
  }

  /**
   * Reads every balance on both ledgers, prints them, and fails at the first that is another than in the
   * book.
   */
  async check(): Promise<void> {
    for (const holding of this.#holdings) {
      const { person, mint, amounts } = holding;
      const { base, rollup } = await readBalances(holding);
      const show = (amount: bigint): string => formatAmount(amount, mint.decimals);
      const isReturning = amounts.returning > 0n;
      const others = [
        isReturning ? `  ${show(amounts.returning)} on the way back` : '',
        amounts.settled > 0n ? `  ${show(amounts.settled)} ready to be withdrawn` : '',
      ];
      const onRollup = (isReturning ? '' : show(rollup)).padStart(18);
      const name = `${person.name.padEnd(7)}${mint.name.padEnd(6)}`;
      console.log(`   ${name}base${show(base).padStart(18)}  rollup${onRollup}${others.join('')}`);
      requireSame(holding, 'base', base);
      if (!isReturning) requireSame(holding, 'rollup', rollup);
    }
  }

  #find(person: Person, mint: Mint): Holding {
    const found = this.#holdings.find((each) => each.person === person && each.mint === mint);
    if (found === undefined) throw new Error(`${person.name} has no account of ${mint.name}`);
    return found;
  }
}

async function readBalances({ person, mint }: Holding): Promise<{ base: bigint; rollup: bigint }> {
  const asked = { address: person.address, mint: mint.address };
  const [base, rollup] = await Promise.all(
    ['spl.getBalance', 'spl.getPrivateBalance'].map((tool) => person.call<{ balance: string }>(tool, asked)),
  );
  if (base === undefined || rollup === undefined) throw new Error('two balances were asked for');
  return { base: BigInt(base.balance), rollup: BigInt(rollup.balance) };
}

function requireSame({ person, mint, amounts }: Holding, place: Place, found: bigint): void {
  if (found === amounts[place]) return;
  throw new Error(
    `${person.name} has ${found} base units of ${mint.name} on ${place} and should have ${amounts[place]}`,
  );
}

/** Base units as people write them. */
export function formatAmount(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
