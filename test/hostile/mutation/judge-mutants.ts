import { SeededRandom } from '../../../src/ledger/testing/seeded-random.ts';
import { decodeTransaction } from '../../../src/solana/transaction.ts';
import { explain, type Explainer } from '../judge.ts';
import type { Offer } from '../row.ts';
import { base64Of, wireOf } from '../transaction-parts.ts';
import { modelOf, wireOfModel } from './message-model.ts';
import { flippedBits, mutationsOf } from './mutations.ts';

/** What became of the mutants of one transaction. */
export interface Toll {
  readonly judged: number;
  /** Mutants that pass for what was asked for, that are clear, or that the service breaks on: in words. */
  readonly faults: readonly string[];
}

/**
 * Explains mutants of an offer with its request. None may be what was asked for; all that are not even transactions are
 * refused. Of more than `most` mutants as many are chosen, by the seed of the name.
 */
export async function judgeMutants(on: Explainer, name: string, offer: Offer, most: number): Promise<Toll> {
  const random = new SeededRandom(`mutate ${name}`);
  const wire = wireOf(offer);
  const mutants = [
    ...mutationsOf(modelOf(wire), random).map(({ what, model }) => ({ what, wire: wireOfModel(model) })),
    ...flippedBits(wire, decodeTransaction(wire).messageAt, random).map(([what, changed]) => ({
      what,
      wire: changed,
    })),
  ]
    .map(({ what, wire: changed }) => ({ what, transactionBase64: base64Of(changed) }))
    .filter(({ transactionBase64 }) => transactionBase64 !== offer.transactionBase64);
  while (mutants.length > most) mutants.splice(random.integer(mutants.length), 1);
  const faults: string[] = [];
  for (const { what, transactionBase64 } of mutants) {
    const word = await explain(on, { ...offer, transactionBase64 }, true);
    if (word.kind === 'broken') faults.push(`${name}, ${what}: broken (${word.why})`);
    if (word.kind !== 'explained') continue;
    const { verdict, request } = word.explanation;
    if (request?.satisfied === 'yes') faults.push(`${name}, ${what}: yes`);
    if (verdict === 'clear') faults.push(`${name}, ${what}: clear`);
  }
  return { judged: mutants.length, faults };
}
