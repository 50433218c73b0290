import { EPHEMERAL_TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { decodeShuttle } from '../../../programs/ephemeral-token/layout-b/shuttle.ts';
import { deriveShuttleMetadata } from '../../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../../solana/address.ts';
import { type Recovery, recoveryInstructions } from '../../recover-shuttles.ts';
import { recoverableOf } from '../../recover-shuttles/find.ts';
import type { Difference } from '../finding.ts';
import type { Reading } from '../reading.ts';
import type { Expectation, ExpectationSource } from './expectation.ts';

interface RecoveryRequest {
  readonly payer: Address;
  readonly owner?: Address | undefined;
  readonly mint?: Address | undefined;
  readonly shuttles?: readonly Address[] | undefined;
}

/**
 * Builds the expected transaction for a recovery. The builder takes the shuttles from the ledger, so one
 * request can have several transactions. This function takes the shuttles from the transaction, and checks on
 * the ledger that the request covers each of them.
 */
export function expectRecovery(request: RecoveryRequest, source: ExpectationSource): Expectation {
  const { payer, owner, mint, shuttles } = request;
  const differences: Difference[] = [];
  const emptied = emptiedShuttles(source.hints.readings);
  if (emptied.length === 0) {
    differences.push(differs('instructions', 'the recovery of a shuttle', 'none'));
  }
  const recoveries = emptied.flatMap((reading) => expectEmptied(reading, request, source, differences) ?? []);
  const mints = [...new Set(recoveries.map(({ accounts }) => accounts.mint))];
  const named = recoveries.map(({ accounts }) => accounts.shuttle).join(', ');
  const requested =
    shuttles === undefined ? '' : ` (${shuttles.length} requested; the others are not in this transaction)`;
  return {
    sendTo: 'base',
    feePayer: payer,
    instructions: recoveryInstructions(payer, recoveries),
    claims: {
      payer,
      shuttles: `${named}${recoveries.length === shuttles?.length ? '' : requested}`,
      owner: owner ?? "each shuttle's own",
      ...(mint === undefined ? {} : { mint }),
      payees: 'the token account of the owner of each shuttle',
    },
    doubts: [],
    mints,
    differences,
  };
}

/** Finds the first instruction that empties each shuttle. */
function emptiedShuttles(readings: readonly Reading[]): Reading[] {
  const byShuttle = new Map<Address | null, Reading>();
  for (const reading of readings) {
    const shuttle = reading.account('shuttle');
    if (reading.action === 'recoverShuttle' && !byShuttle.has(shuttle)) byShuttle.set(shuttle, reading);
  }
  return [...byShuttle.values()];
}

/** Builds the expected recovery of an emptied shuttle; null if there can be none. */
function expectEmptied(
  reading: Reading,
  request: RecoveryRequest,
  source: ExpectationSource,
  differences: Difference[],
): Recovery | null {
  const shuttle = reading.account('shuttle');
  const mint = request.mint ?? reading.account('mint');
  if (shuttle === null || mint === null) return null;
  const state = source.facts === null ? stateByBytes(reading, request) : stateOf(shuttle, source);
  if (state === null) {
    differences.push(differs('shuttle', 'an open shuttle', shuttle));
    return null;
  }
  const { owner, rentRefund, id } = state;
  const { owner: requested, shuttles } = request;
  if (shuttles !== undefined && !shuttles.includes(shuttle)) {
    differences.push(differs('shuttle', `one of ${shuttles.join(', ')}`, shuttle));
  }
  if (requested !== undefined && owner !== requested) {
    differences.push(differs('owner', `${requested} for shuttle ${shuttle}`, owner));
  }
  if (id !== null && deriveShuttleMetadata(owner, mint, id).address !== shuttle) {
    differences.push(differs('mint', `the mint of shuttle ${shuttle}`, mint));
  }
  const accounts = recoverableOf({ shuttle, owner, mint, rentRefund }, source.hints.tokenProgramOf(mint));
  return { accounts, createsOwnerAta: opens(accounts.ownerAta, source) && mayOpenFor(owner, request) };
}

interface ShuttleFacts {
  readonly owner: Address;
  readonly rentRefund: Address;
  /** The shuttle's id; null if no ledger was read. */
  readonly id: number | null;
}

function stateOf(shuttle: Address, { facts }: ExpectationSource): ShuttleFacts | null {
  const account = facts?.accounts.get(shuttle) ?? null;
  return account?.owner === EPHEMERAL_TOKEN_PROGRAM ? decodeShuttle(account.data) : null;
}

/** Assumes the owner and rent payer if no ledger was read. The doubt about the ledger covers this case. */
function stateByBytes(reading: Reading, { owner, payer }: RecoveryRequest): ShuttleFacts {
  const rentRefund = reading.account('rentRefund') ?? payer;
  return { owner: owner ?? reading.ownerOf('destinationAta') ?? payer, rentRefund, id: null };
}

const differs = (part: string, expected: string, found: string): Difference => ({ part, expected, found });

const opens = (ata: Address, { hints }: ExpectationSource): boolean =>
  hints.readings.some(
    (reading) => reading.action === 'createAtaIdempotent' && reading.account('ata') === ata,
  );

/** Checks whether the payer creates an account. The payer does so only for owners of requested shuttles. */
const mayOpenFor = (holder: Address, { payer, owner, shuttles }: RecoveryRequest): boolean =>
  holder === payer || owner !== undefined || shuttles !== undefined;
