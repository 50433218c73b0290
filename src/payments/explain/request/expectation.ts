import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { isTokenProgram } from '../../../programs/token/state.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import type { Location } from '../../building/built-transaction.ts';
import { COMMON_MINTS } from '../../mints/common-mints.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import type { Difference, Doubt } from '../finding.ts';
import type { Evidence } from '../gather-evidence.ts';
import type { Reading } from '../reading.ts';
import type { ChainFacts } from '../state/chain-facts.ts';

/** The transaction that a request should have produced. */
export interface Expectation {
  /** The transaction's ledger. The same bytes may have a different effect on the other ledger. */
  readonly sendTo: Location;
  readonly feePayer: Address;
  readonly instructions: readonly Instruction[];
  /** Descriptions of the request, by claim. */
  readonly claims: Readonly<Record<string, string>>;
  readonly doubts: readonly Doubt[];
  /** The mints that determine the token programs of the accounts. */
  readonly mints: readonly Address[];
  /** Contradictions with the state of the chain, independent of the bytes. */
  readonly differences?: readonly Difference[];
}

/** The transaction that a request is compared with. */
export interface ExpectationSource extends Evidence {
  readonly hints: ReturnType<typeof hintsOf>;
}

/** Returns the expected validator. Adds a doubt if neither the request nor the cluster names one. */
export function expectedValidator(
  named: Address | undefined,
  { hints, clusterValidator }: ExpectationSource,
): { readonly validator: Address; readonly isKnown: boolean; readonly doubts: readonly Doubt[] } {
  const known = named ?? clusterValidator;
  if (known !== null) return { validator: known, isKnown: true, doubts: [] };
  if (hints.validator === null) {
    const message =
      'Neither the request nor the transaction names a validator, and the validator of the cluster could not be read.';
    // If the transaction lacks a required validator, the expectation must differ from it.
    return { validator: hints.feePayer, isKnown: false, doubts: [{ claim: 'validator', message }] };
  }
  const message = `The request names no validator, and the validator of the cluster could not be read: make sure that you trust ${hints.validator}.`;
  return { validator: hints.validator, isKnown: true, doubts: [{ claim: 'validator', message }] };
}

/**
 * Reads the parts of the transaction that an expectation reuses: choices of the builder, random ids and
 * sealed boxes. The plan uses them everywhere, so any inconsistency within the transaction is a difference.
 */
export function hintsOf({ accounts, calls }: ExplainedCalls, facts: ChainFacts | null) {
  const readings = calls.flatMap(({ reading }) => reading ?? []);
  const first = <T>(find: (reading: Reading) => T | null): T | null => {
    for (const reading of readings) {
      const found = find(reading);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    feePayer: accounts[0]?.address as Address,
    readings,
    actions: readings.map(({ action }) => action),
    shuttleId: first((reading) => reading.field('shuttleId') as number | null),
    groupId: first((reading) => reading.field('groupId') as number | null),
    sealed: first((reading) =>
      reading.has('sealedDestination')
        ? { destination: reading.bytes('sealedDestination'), terms: reading.bytes('sealedTerms') }
        : null,
    ),
    validator: first((reading) => reading.address('validator') ?? reading.account('validator')),
    queue: first((reading) => reading.account('queue')),
    /** Returns the lamports of the first plain transfer to an address. No plan has a second such transfer. */
    lamportsTo: (to: Address): bigint =>
      first((reading) =>
        reading.action === 'transferLamports' && reading.account('destination') === to
          ? reading.amount('lamports')
          : null,
      ) ?? 0n,
    /** Returns the token program of a mint. Defaults to the program that the transaction names. */
    tokenProgramOf: (mint: Address): Address => knownTokenProgram(mint, facts) ?? namedTokenProgram(calls),
  };
}

/** Finds the token program of a mint in {@link COMMON_MINTS} or on chain; null if neither has it. */
export function knownTokenProgram(mint: Address, facts: ChainFacts | null): Address | null {
  const owner = COMMON_MINTS.get(mint)?.tokenProgram ?? facts?.accounts.get(mint)?.owner;
  return isTokenProgram(owner) ? owner : null;
}

function namedTokenProgram(calls: ExplainedCalls['calls']): Address {
  for (const { call, reading } of calls) {
    if (isTokenProgram(call.program)) return call.program;
    if (reading?.account('tokenProgram') === TOKEN_2022_PROGRAM) return TOKEN_2022_PROGRAM;
  }
  return TOKEN_PROGRAM;
}
