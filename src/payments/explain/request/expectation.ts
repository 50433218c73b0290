import type { Chain } from '../../../chain/chain.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import type { ChainFacts } from '../state/chain-facts.ts';
import type { Location } from '../effects.ts';
import type { Reading } from '../reading.ts';
import type { Difference } from './compare.ts';

/** A part of a request that the bytes alone cannot prove, and why. */
export interface Doubt {
  readonly claim: string;
  readonly message: string;
}

/** The transaction that a request should have produced. */
export interface Expectation {
  /** The ledger it is for: the same bytes may do something else on the other one. */
  readonly sendTo: Location;
  readonly feePayer: Address;
  readonly instructions: readonly Instruction[];
  /** The request in words, by the names of the claims. */
  readonly claims: Readonly<Record<string, string>>;
  readonly doubts: readonly Doubt[];
  /** The mints whose token programs the accounts of the instructions follow from. */
  readonly mints: readonly Address[];
  /** What the state of the chain contradicts, whatever the bytes are. */
  readonly differences?: readonly Difference[];
}

/**
 * What an expectation takes from the transaction itself: random ids and sealed boxes, which cannot be
 * predicted, and choices left to the builder. Each is put into the plan and must then be consistent
 * everywhere.
 */
export interface Hints {
  readonly feePayer: Address;
  /** The actions of the instructions in order; null for unknown ones. */
  readonly actions: readonly (string | null)[];
  /** The instructions that are known, in order. */
  readonly readings: readonly Reading[];
  readonly shuttleId: number | null;
  readonly groupId: number | null;
  readonly sealed: { readonly destination: Uint8Array; readonly terms: Uint8Array } | null;
  /** The first validator an instruction names. */
  readonly validator: Address | null;
  /** The first transfer queue an instruction names. */
  readonly queue: Address | null;
  /** Lamports by receiver, from plain lamports transfers. */
  readonly lamportsTo: ReadonlyMap<Address, bigint>;
  /** The program of a mint: from the chain or common knowledge, otherwise the one the transaction names. */
  readonly tokenProgramOf: (mint: Address) => Address;
}

/** The sources of an expectation. */
export interface ExpectationSource {
  readonly chain: Chain;
  /** Null if no chain was read. */
  readonly facts: ChainFacts | null;
  readonly hints: Hints;
  /** The validator to expect if the request names none; null if it could not be determined. */
  readonly clusterValidator: Address | null;
  /** The sponsor of gasless transfers; null if unknown. */
  readonly sponsor: Address | null;
}

/** The validator to expect, with a doubt if neither request nor cluster names one. */
export function expectedValidator(
  named: Address | undefined,
  { hints, clusterValidator }: ExpectationSource,
): { readonly validator: Address; readonly isKnown: boolean; readonly doubts: readonly Doubt[] } {
  const known = named ?? clusterValidator;
  if (known !== null) return { validator: known, isKnown: true, doubts: [] };
  if (hints.validator === null) {
    const message =
      'Neither the request nor the transaction names a validator, and the cluster could not be asked for its own.';
    // If the transaction names no validator where it should, the expectation has to differ whatever it
    // contains.
    return { validator: hints.feePayer, isKnown: false, doubts: [{ claim: 'validator', message }] };
  }
  const message = `The request names no validator and the cluster could not be asked for its own: make sure that you trust ${hints.validator}.`;
  return { validator: hints.validator, isKnown: true, doubts: [{ claim: 'validator', message }] };
}
