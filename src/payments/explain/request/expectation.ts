import type { Chain } from '../../../chain/chain.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import type { ChainFacts } from '../state/chain-facts.ts';
import type { Location } from '../effects.ts';
import type { Difference } from './compare.ts';

/** A part of a request that the bytes alone cannot prove, and why. */
export interface Doubt {
  readonly claim: string;
  readonly message: string;
}

/** The transaction that a request should have been answered with. */
export interface Expectation {
  /** The ledger it is for: the same bytes may do something else on the other one. */
  readonly sendTo: Location;
  readonly feePayer: Address;
  readonly instructions: readonly Instruction[];
  /** What was asked for in words, by the names of the claims. */
  readonly claims: Readonly<Record<string, string>>;
  readonly doubts: readonly Doubt[];
  /** What the state of the chain makes untrue whatever the bytes are. */
  readonly differences?: readonly Difference[];
}

/**
 * What an expectation takes from the transaction itself: random ids and sealed boxes, which nobody could foretell, and
 * what was left to the builder. Everything is put back into the plan, so that it has to fit everywhere it shows.
 */
export interface Hints {
  readonly feePayer: Address;
  /** Actions of the instructions in order; null for one that is not known. */
  readonly actions: readonly (string | null)[];
  readonly shuttleId: number | null;
  readonly groupId: number | null;
  readonly sealed: { readonly destination: Uint8Array; readonly terms: Uint8Array } | null;
  /** The first validator that an instruction names. */
  readonly validator: Address | null;
  /** The first transfer queue that an instruction names. */
  readonly queue: Address | null;
  /** Lamports by their receiver, from plain transfers of lamports. */
  readonly lamportsTo: ReadonlyMap<Address, bigint>;
  /** The program the mint belongs to: from the chain or common knowledge, or else the one that the transaction names. */
  readonly tokenProgramOf: (mint: Address) => Address;
}

/** What an expectation is made from. */
export interface ExpectationSource {
  readonly chain: Chain;
  /** Null when no chain was read. */
  readonly facts: ChainFacts | null;
  readonly hints: Hints;
  /** The validator to expect where the request names none; null when nobody could be asked. */
  readonly clusterValidator: Address | null;
  /** Who pays for gasless transfers; null when it is not known. */
  readonly sponsor: Address | null;
}

/** A validator to expect, and the doubt about it where neither request nor cluster names one. */
export function expectedValidator(
  named: Address | undefined,
  { hints, clusterValidator }: ExpectationSource,
): { readonly validator: Address; readonly isKnown: boolean; readonly doubts: readonly Doubt[] } {
  const known = named ?? clusterValidator;
  if (known !== null) return { validator: known, isKnown: true, doubts: [] };
  if (hints.validator === null) {
    const message =
      'Neither the request nor the transaction names a validator, and the cluster could not be asked for its own.';
    // A transaction that should name one does not become right by it: whatever is expected, it differs.
    return { validator: hints.feePayer, isKnown: false, doubts: [{ claim: 'validator', message }] };
  }
  const message = `The request names no validator and the cluster could not be asked for its own: make sure that you trust ${hints.validator}.`;
  return { validator: hints.validator, isKnown: true, doubts: [{ claim: 'validator', message }] };
}
