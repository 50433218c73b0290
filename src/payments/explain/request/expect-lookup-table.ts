import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../../programs/addresses.ts';
import { addressesIn } from '../../../programs/instruction-table/field-codec.ts';
import { decodeLookupTable, extendLookupTable, freezeLookupTable } from '../../../programs/lookup-table.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { planLookupTable, tableAddresses, usualMints } from '../../create-lookup-table.ts';
import { type Difference, type Doubt, NOTHING_TO_REPORT, type Report } from '../finding.ts';
import type { Reading } from '../reading.ts';
import type { ChainFacts } from '../state/chain-facts.ts';
import { listDifferences } from './compare.ts';
import type { Expectation, ExpectationSource } from './expectation.ts';

interface LookupTableRequest {
  readonly payer: Address;
  readonly authority?: Address | undefined;
  readonly mints?: readonly Address[] | undefined;
  readonly validators?: readonly Address[] | undefined;
  readonly freeze?: boolean | undefined;
}

interface Step {
  readonly lookupTable: Address;
  readonly instructions: readonly Instruction[];
  /** Contents of the table before this step; null if unknown. */
  readonly before: readonly Address[] | null;
}

/**
 * Builds the expected transaction for one step of creating a lookup table. The creation takes several
 * transactions, so this picks the step that the transaction resembles. A step that extends a table requires
 * the contents that the previous steps leave.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS if there are more addresses than a table holds.
 */
export function expectLookupTable(request: LookupTableRequest, source: ExpectationSource): Expectation {
  const { payer, authority = payer, freeze = false } = request;
  const wanted = requestedAddresses(request, source);
  const step = stepOf(request, source.hints.readings, wanted?.addresses ?? null);
  const state = checkTable(step, authority, source.facts);
  return {
    sendTo: 'base',
    feePayer: payer,
    instructions: step.instructions,
    claims: {
      payer,
      authority,
      lookupTable: step.lookupTable,
      addresses:
        wanted === null
          ? 'some of the requested ones'
          : `of ${wanted.addresses.length}, for ${wanted.mints.join(', ')} on ${wanted.validators.join(', ')}`,
      freeze: freeze ? 'last, when the table is whole' : 'never',
    },
    doubts: [...(wanted === null ? [UNKNOWN_VALIDATOR] : []), ...state.doubts],
    mints: wanted?.mints ?? [],
    differences: state.differences,
  };
}

const UNKNOWN_VALIDATOR: Doubt = {
  claim: 'addresses',
  message:
    'The request names no validators, and the validators of the cluster could not be read, so the correct addresses are unknown.',
};

/** Returns the requested contents of the table; null if no validator is known. */
function requestedAddresses(
  { mints: named, validators: requested }: LookupTableRequest,
  { chain, facts, hints, clusterValidator, sponsor }: ExpectationSource,
) {
  const validators = requested ?? (clusterValidator === null ? null : [clusterValidator]);
  if (validators === null) return null;
  const usual = usualMints(chain).filter((mint) => facts?.accounts.get(mint) !== null);
  const mints = named === undefined ? usual : [...new Set(named)];
  const facing = mints.map((mint) => ({ mint, tokenProgram: hints.tokenProgramOf(mint) }));
  return { mints, validators, addresses: tableAddresses(facing, validators, sponsor) };
}

/** Picks the step. If `addresses` is null, the transaction's own addresses are used. */
function stepOf(
  { payer, authority = payer, freeze = false }: LookupTableRequest,
  readings: readonly Reading[],
  addresses: readonly Address[] | null,
): Step {
  const added = readings.flatMap((reading) =>
    reading.action === 'extendLookupTable' ? addressesIn(reading.bytes('addresses')) : [],
  );
  const created = readings.find(({ action }) => action === 'createLookupTable');
  const recentSlot = created?.amount('recentSlot') ?? 0n;
  const options = { payer, authority, recentSlot, addresses: addresses ?? added, freezes: freeze };
  const plan = planLookupTable(options);
  const named = readings.find((reading) => reading.account('lookupTable') !== null);
  const lookupTable = named?.account('lookupTable') ?? plan.lookupTable;
  if (created !== undefined || named === undefined) {
    return { lookupTable: plan.lookupTable, instructions: plan.transactions[0] ?? [], before: [] };
  }
  const later = { lookupTable, authority, payer };
  if (freeze && readings.some(({ action }) => action === 'freezeLookupTable')) {
    return { lookupTable, instructions: [freezeLookupTable(later)], before: addresses };
  }
  if (addresses === null) {
    return { lookupTable, instructions: [extendLookupTable(later, added)], before: null };
  }
  // The first part is in the transaction that creates the table.
  const at = Math.max(
    1,
    plan.parts.findIndex((part) => part.join() === added.join()),
  );
  const part = plan.parts[at];
  const instructions = part === undefined ? [] : [extendLookupTable(later, part)];
  return { lookupTable, instructions, before: plan.parts.slice(0, at).flat() };
}

/**
 * Compares a table with its state on base before a step. The table must not exist before the first step.
 * Reports nothing if no ledger was read, which is reported elsewhere.
 */
function checkTable(
  { lookupTable, before }: Step,
  authority: Address,
  facts: ChainFacts | null,
): Pick<Report, 'doubts' | 'differences'> {
  const account = facts?.accounts.get(lookupTable);
  if (account === undefined) return NOTHING_TO_REPORT;
  if (before?.length === 0) {
    const found = 'an existing table, which this transaction extends';
    const expected = `lookup table ${lookupTable}, which is new`;
    return account === null ? NOTHING_TO_REPORT : { doubts: [], differences: [differs(expected, found)] };
  }
  if (account === null) {
    const message = `Lookup table ${lookupTable} does not exist yet, so its authority and contents are unknown. Explain this transaction again after the one before it is confirmed.`;
    return { doubts: [{ claim: 'lookupTable', message }], differences: [] };
  }
  const table = account.owner === ADDRESS_LOOKUP_TABLE_PROGRAM ? decodeLookupTable(account.data) : null;
  if (table === null) {
    return { doubts: [], differences: [differs(`lookup table ${lookupTable}`, 'another account')] };
  }
  const differences: Difference[] = [];
  if (table.deactivationSlot !== null) differences.push(differs('a table in use', 'being deactivated'));
  if (table.authority !== authority) {
    const found = table.authority ?? 'none, because the table is frozen';
    differences.push({ part: 'authority', expected: authority, found });
  }
  if (before !== null) differences.push(...listDifferences('addresses', before, table.addresses));
  return { doubts: [], differences };
}

const differs = (expected: string, found: string): Difference => ({ part: 'lookupTable', expected, found });
