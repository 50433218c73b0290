import { SeededRandom } from '../../../src/ledger/testing/seeded-random.ts';
import { SHUTTLE_TABLE } from '../../../src/programs/ephemeral-token/table/shuttle.ts';
import { decodeTransaction } from '../../../src/solana/transaction.ts';
import { explain, type Explainer } from '../judge.ts';
import type { Offer, Satisfied } from '../row.ts';
import { base64Of, wireOf } from '../transaction-parts.ts';
import { modelOf, wireOfModel } from './message-model.ts';
import { flippedBits, mutationsOf } from './mutations.ts';

/** The results for the mutants of one transaction. */
interface Toll {
  readonly judged: number;
  /** Descriptions of mutants that satisfy the request, are clear, or cause an internal error. */
  readonly faults: readonly string[];
}

interface Mutant {
  readonly what: string;
  readonly transactionBase64: string;
}

function mutantsOf(offer: Offer, random: SeededRandom): Mutant[] {
  const wire = wireOf(offer);
  const ofParts = mutationsOf(modelOf(wire), random).map(
    ({ what, model }) => [what, wireOfModel(model)] as const,
  );
  const ofBits = flippedBits(wire, decodeTransaction(wire).messageAt, random);
  return [...ofParts, ...ofBits]
    .map(([what, changed]) => ({ what, transactionBase64: base64Of(changed) }))
    .filter(({ transactionBase64 }) => transactionBase64 !== offer.transactionBase64);
}

/**
 * Returns the wire bytes with zeros for the sealed parts of a private transfer (tag 25: 80 bytes at 14, all
 * from 128).
 */
function unsealed({ transactionBase64 }: Pick<Offer, 'transactionBase64'>): string {
  const wire = wireOf({ transactionBase64 });
  for (const { data } of decodeTransaction(wire).instructions) {
    if (data[0] === SHUTTLE_TABLE.transferByShuttle.tag && data.length > 128)
      data.fill(0, 14, 94).fill(0, 128);
  }
  return base64Of(wire);
}

async function satisfiedBy(on: Explainer, offer: Offer): Promise<Satisfied | undefined> {
  const word = await explain(on, offer, true);
  return word.kind === 'explained' ? word.explanation.request?.satisfied : undefined;
}

/** Describes the wrong answer about a mutant; null if it is right. */
async function faultOf(on: Explainer, offer: Offer, mayBeUnverifiable: boolean): Promise<string | null> {
  const word = await explain(on, offer, true);
  if (word.kind === 'broken') return `broken (${word.why})`;
  if (word.kind === 'refused') return null;
  const { verdict, request } = word.explanation;
  if (verdict === 'clear') return 'clear';
  if (request?.satisfied === 'no') return null;
  // Accounts in an unreadable lookup table are unknown, which counts as a danger.
  if (request?.satisfied === 'unverifiable' && verdict === 'danger') return null;
  return request?.satisfied === 'unverifiable' && mayBeUnverifiable ? null : String(request?.satisfied);
}

/**
 * Explains mutants of an offer with its request. None may satisfy it, except for mutants of sealed bytes,
 * which cannot be verified. Tests at most `most` mutants, chosen by the seed of the name.
 */
export async function judgeMutants(on: Explainer, name: string, offer: Offer, most: number): Promise<Toll> {
  const random = new SeededRandom(`mutate ${name}`);
  const mutants = mutantsOf(offer, random);
  while (mutants.length > most) mutants.splice(random.integer(mutants.length), 1);
  const isSealed = (await satisfiedBy(on, offer)) === 'unverifiable';
  const faults: string[] = [];
  for (const mutant of mutants) {
    const concernsSeals = isSealed && differOnlyInSeals(offer, mutant);
    const fault = await faultOf(on, { ...offer, ...mutant }, concernsSeals);
    if (fault !== null) faults.push(`${name}, ${mutant.what}: ${fault}`);
  }
  return { judged: mutants.length, faults };
}

/** Returns whether two transactions differ only in sealed bytes. */
function differOnlyInSeals(offer: Offer, mutant: Mutant): boolean {
  try {
    return unsealed(offer) === unsealed(mutant);
  } catch {
    return false;
  }
}
