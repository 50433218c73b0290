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
  /** The ledger it is for: the same bytes may do something else on the other one. */
  readonly sendTo: Location;
  readonly feePayer: Address;
  readonly instructions: readonly Instruction[];
  /** The request in words, by the names of the claims. */
  readonly claims: Readonly<Record<string, string>>;
  readonly doubts: readonly Doubt[];
  /** The mints that determine the token programs of the accounts. */
  readonly mints: readonly Address[];
  /** Contradictions with the state of the chain, independent of the bytes. */
  readonly differences?: readonly Difference[];
}

/**
 * The parts of the transaction that an expectation reuses: random ids and sealed boxes, which cannot be
 * predicted, and choices of the builder. Each goes into the plan and must then be consistent everywhere.
 */
interface Hints {
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

/** The transaction that a request is compared with. */
export interface ExpectationSource extends Evidence {
  readonly hints: Hints;
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
      'Neither the request nor the transaction names a validator, and that of the cluster could not be read.';
    // If the transaction names no validator although it should, the expectation must differ from it.
    return { validator: hints.feePayer, isKnown: false, doubts: [{ claim: 'validator', message }] };
  }
  const message = `The request names no validator and that of the cluster could not be read: make sure that you trust ${hints.validator}.`;
  return { validator: hints.validator, isKnown: true, doubts: [{ claim: 'validator', message }] };
}

/** Collects the parts of an explained transaction that an expectation reuses. */
export function hintsOf(explained: ExplainedCalls, facts: ChainFacts | null): Hints {
  const readings = explained.calls.flatMap(({ reading }) => reading ?? []);
  const withField = (field: string): Reading | undefined => readings.find((reading) => reading.has(field));
  const box = withField('sealedDestination');
  const named = namedTokenProgram(explained);
  return {
    feePayer: explained.accounts[0]?.address as Address,
    actions: explained.calls.map(({ matched }) => matched?.form.action ?? null),
    readings,
    shuttleId: withField('shuttleId')?.number('shuttleId') ?? null,
    groupId: withField('groupId')?.number('groupId') ?? null,
    sealed:
      box === undefined
        ? null
        : { destination: box.bytes('sealedDestination'), terms: box.bytes('sealedTerms') },
    validator: firstValidator(readings),
    queue: firstOf(readings, (reading) => reading.account('queue')),
    lamportsTo: lamportTransfers(explained),
    tokenProgramOf: (mint) => knownTokenProgram(mint, facts) ?? named,
  };
}

/** The program of a mint from the chain or from {@link COMMON_MINTS}; null if neither has it. */
export function knownTokenProgram(mint: Address, facts: ChainFacts | null): Address | null {
  const owner = COMMON_MINTS.get(mint)?.tokenProgram ?? facts?.accounts.get(mint)?.owner;
  return isTokenProgram(owner) ? owner : null;
}

const firstValidator = (readings: readonly Reading[]): Address | null =>
  firstOf(readings, (reading) => reading.address('validator') ?? reading.account('validator'));

function firstOf(readings: readonly Reading[], find: (reading: Reading) => Address | null): Address | null {
  for (const reading of readings) {
    const found = find(reading);
    if (found !== null) return found;
  }
  return null;
}

function lamportTransfers({ calls }: ExplainedCalls): Map<Address, bigint> {
  const transfers = new Map<Address, bigint>();
  for (const { matched, reading } of calls) {
    const to = reading?.account('destination') ?? null;
    if (matched?.form.action !== 'transferLamports' || reading === null || to === null) continue;
    // Only the first: no plan has a second transfer to the same receiver.
    if (!transfers.has(to)) transfers.set(to, reading.amount('lamports'));
  }
  return transfers;
}

function namedTokenProgram({ calls }: ExplainedCalls): Address {
  for (const { call, reading } of calls) {
    if (isTokenProgram(call.program)) return call.program;
    if (reading?.account('tokenProgram') === TOKEN_2022_PROGRAM) return TOKEN_2022_PROGRAM;
  }
  return TOKEN_PROGRAM;
}
