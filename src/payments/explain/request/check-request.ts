import { isServiceError } from '../../../errors/service-error.ts';
import type { Address } from '../../../solana/address.ts';
import type { Transaction } from '../../../solana/transaction.ts';
import { LEDGERS, type Location } from '../../building/built-transaction.ts';
import { deriveMintSetupAccounts, planInitializeMint } from '../../initialize-mint.ts';
import type { SimulationSummary } from '../../simulation/with-simulation.ts';
import { planPoolSetup, planPoolUpdate } from '../../stealth-pool.ts';
import { stealthPoolOf } from '../../stealth/handle.ts';
import { planUndelegate } from '../../undelegate.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import type { Difference, Doubt } from '../finding.ts';
import type { Evidence } from '../gather-evidence.ts';
import { blockhashOf } from '../state/blockhash.ts';
import type { ChainFacts } from '../state/chain-facts.ts';
import { compareTransaction } from './compare.ts';
import { expectLookupTable } from './expect-lookup-table.ts';
import { expectRecovery } from './expect-recovery.ts';
import { expectTransfer } from './expect-transfer.ts';
import { expectDeposit, expectWithdraw } from './expect-vault-payment.ts';
import {
  type Expectation,
  type ExpectationSource,
  expectedValidator,
  hintsOf,
  knownTokenProgram,
} from './expectation.ts';

/** Operations whose transactions can be compared with their requests. */
export const CHECKED_OPERATIONS = [
  'deposit',
  'withdraw',
  'transfer',
  'initializeMint',
  'undelegate',
  'createStealthPool',
  'recoverShuttles',
  'createLookupTable',
] as const;

export type CheckedOperation = (typeof CHECKED_OPERATIONS)[number];

/** A request with arguments that the operation's own schema has parsed. */
export interface ParsedRequest {
  readonly operation: CheckedOperation;
  readonly arguments: unknown;
  /** Blockhash that the builder reported, base58. */
  readonly recentBlockhash: string | undefined;
}

interface Claim {
  readonly name: string;
  readonly verdict: 'ok' | 'differs' | 'unverifiable';
  readonly message: string;
}

/** The result of comparing a transaction with a request. */
export interface RequestVerdict {
  readonly operation: CheckedOperation;
  readonly satisfied: 'yes' | 'no' | 'unverifiable';
  readonly claims: readonly Claim[];
  readonly differences: readonly Difference[];
}

/**
 * Compares a transaction, instruction by instruction, with the one that its request should produce. No
 * transaction satisfies a request that the operation would reject.
 */
export function checkRequest(request: ParsedRequest, evidence: Evidence): RequestVerdict {
  const { transaction, location, explained, facts, report, simulation } = evidence;
  const source: ExpectationSource = { ...evidence, hints: hintsOf(explained, facts) };
  let expectation: Expectation;
  try {
    expectation = EXPECTATIONS[request.operation](request.arguments as never, source);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const claim: Claim = {
      name: 'request',
      verdict: 'differs',
      message: `The operation rejects this request: ${error.message}`,
    };
    return { operation: request.operation, satisfied: 'no', claims: [claim], differences: [] };
  }
  const calls = explained.calls.map(({ call }) => call);
  const differences = [
    ...compareTransaction(expectation, calls, explained.accounts),
    ...compareLedger(expectation, location),
    ...compareBlockhash(request.recentBlockhash, transaction),
    ...report.differences,
    ...(expectation.differences ?? []),
  ];
  const doubts = [
    ...expectation.doubts,
    ...tableDoubts(explained),
    ...chainDoubts(expectation, facts),
    ...report.doubts,
    ...outcomeDoubts(simulation?.summary ?? null),
  ];
  const claims = claimsOf(request, { ...expectation, doubts }, differences);
  const satisfied = differences.length > 0 ? 'no' : doubts.length > 0 ? 'unverifiable' : 'yes';
  return { operation: request.operation, satisfied, claims, differences };
}

function tableDoubts({ accounts }: ExplainedCalls): Doubt[] {
  if (accounts.every(({ address }) => address !== null)) return [];
  const message = 'Accounts come from a lookup table that could not be read: they could be any accounts.';
  return [{ claim: 'accounts', message }];
}

/** Returns doubts about the outcome: a correct transaction moves nothing if the ledger rejects it. */
function outcomeDoubts(simulated: SimulationSummary | null): Doubt[] {
  if (simulated === null || simulated.status === 'succeeds') return [];
  const message =
    simulated.status === 'fails'
      ? `It would fail if sent now: ${simulated.error?.message}`
      : `It could not be simulated: ${simulated.error?.message}`;
  return [{ claim: 'outcome', message }];
}

/** Returns doubts that only a ledger could resolve. */
function chainDoubts({ mints }: Expectation, facts: ChainFacts | null): Doubt[] {
  if (facts === null) {
    const message =
      'No ledger was read: the owners of the accounts, and the ledger of the blockhash, are unknown.';
    return [{ claim: 'ledger', message }];
  }
  return mints
    .filter((mint) => knownTokenProgram(mint, facts) === null)
    .map((mint) => {
      const message = `Mint ${mint} could not be decoded, so the token program of its accounts is unknown.`;
      return { claim: 'mint', message };
    });
}

/** Builders of expected transactions. Each takes the parsed input of its operation. */
const EXPECTATIONS: Readonly<
  Record<CheckedOperation, (request: never, source: ExpectationSource) => Expectation>
> = {
  deposit: expectDeposit,
  withdraw: expectWithdraw,
  transfer: expectTransfer,
  initializeMint: expectInitializeMint,
  undelegate: expectUndelegate,
  createStealthPool: expectStealthPool,
  recoverShuttles: expectRecovery,
  createLookupTable: expectLookupTable,
};

function compareLedger({ sendTo }: Expectation, found: Location): Difference[] {
  return sendTo === found ? [] : [{ part: 'sendTo', expected: sendTo, found }];
}

function compareBlockhash(expected: string | undefined, transaction: Transaction): Difference[] {
  const found = blockhashOf(transaction);
  return expected === undefined || expected === found ? [] : [{ part: 'blockhash', expected, found }];
}

/** The claim that a differing account or field belongs to. All others belong to `accounts`. */
const CLAIM_OF: Readonly<Record<string, readonly string[]>> = {
  owner: ['owner', 'ownerAta', 'source', 'eata', 'holder'],
  from: ['owner', 'ownerAta', 'source', 'authority', 'holder'],
  to: ['destination', 'destinationOwner', 'destinationAta', 'destinationHolder'],
  mint: ['mint', 'vault', 'vaultAta', 'tokenProgram'],
  amount: ['amount', 'lamports', 'exactOut'],
  validator: ['validator', 'queue', 'vaultQueue'],
  memo: ['text'],
  delivery: ['minDelayMs', 'maxDelayMs', 'split', 'clientRefId'],
  authority: ['authority'],
  handle: ['handle', 'pool'],
  destinations: ['destinations', 'destinationCount', 'flags'],
  shuttles: ['shuttle', 'shuttleEata', 'shuttleAta', 'rentRefund'],
  payees: ['destinationAta', 'ata', 'holder'],
  lookupTable: ['lookupTable', 'recentSlot', 'bump'],
  addresses: ['addresses'],
  private: ['flags', 'permission'],
  feePayer: ['feePayer'],
  signers: ['signers'],
  instructions: ['instructions'],
  blockhash: ['blockhash'],
  sendTo: ['sendTo'],
  arrival: ['arrival'],
};

function claimsOf(
  request: ParsedRequest,
  { claims: requested, sendTo, feePayer, instructions, doubts }: Expectation,
  differences: readonly Difference[],
): Claim[] {
  const wanted: Record<string, string> = {
    ...requested,
    sendTo: `${sendTo}, so send it to ${LEDGERS[sendTo]} only`,
    feePayer,
    signers: 'no one else signs',
    instructions: `${instructions.length}, in this order, and no others`,
    ...(differences.some(({ part }) => part === 'arrival') && { arrival: 'the tokens arrive' }),
    blockhash: request.recentBlockhash ?? `a valid one of ${LEDGERS[sendTo]}`,
    // This claim comes last, because it covers all differences that no other claim covers.
    accounts: 'each is the derived one, with no more rights than it needs',
  };
  const unclaimed = new Set(differences);
  const claims = Object.entries(wanted).map(([name, value]): Claim => {
    const own = differences.filter(({ part }) =>
      name === 'accounts' ? false : CLAIM_OF[name]?.includes(part),
    );
    for (const difference of own) unclaimed.delete(difference);
    const rest = name === 'accounts' ? [...unclaimed] : own;
    if (rest.length > 0) return { name, verdict: 'differs', message: rest.map(describeDifference).join(' ') };
    const doubt = doubts.find(({ claim }) => claim === name);
    if (doubt !== undefined) return { name, verdict: 'unverifiable', message: doubt.message };
    return { name, verdict: 'ok', message: `${name}: ${value}` };
  });
  const others = doubts
    .filter(({ claim }) => !(claim in wanted))
    .map(({ claim, message }): Claim => ({ name: claim, verdict: 'unverifiable', message }));
  return [...claims, ...others];
}

/** Describes a difference in one sentence. */
export function describeDifference({ instruction, part, expected, found }: Difference): string {
  const where = instruction === undefined ? '' : ` of instruction ${instruction}`;
  return `${part}${where} should be ${expected}, but is ${found}.`;
}

interface InitializeMintRequest {
  readonly payer: Address;
  readonly mint: Address;
  readonly validator?: Address | undefined;
}

function expectInitializeMint(
  { payer, mint, validator: named }: InitializeMintRequest,
  source: ExpectationSource,
): Expectation {
  const { validator, doubts } = expectedValidator(named, source);
  const accounts = deriveMintSetupAccounts(mint, source.hints.tokenProgramOf(mint), validator);
  return {
    sendTo: 'base',
    feePayer: payer,
    instructions: planInitializeMint(accounts, payer),
    claims: { payer, mint, validator },
    doubts,
    mints: [mint],
  };
}

function expectUndelegate(
  { payer, mint }: { readonly payer: Address; readonly mint: Address },
  { chain, hints }: ExpectationSource,
): Expectation {
  // The instruction names a validator only if the wallet itself is delegated to a validator.
  const walletValidator = chain.layout === 'a' ? null : hints.validator;
  const tokenProgram = hints.tokenProgramOf(mint);
  const message = `According to the transaction, the wallet itself is delegated to validator ${walletValidator}. Only the chain can confirm that.`;
  return {
    sendTo: 'ephemeral',
    feePayer: payer,
    instructions: planUndelegate({ owner: payer, mint, tokenProgram, walletValidator }),
    claims: { payer, mint },
    doubts: walletValidator === null ? [] : [{ claim: 'validator', message }],
    mints: [mint],
  };
}

interface StealthPoolRequest {
  readonly payer: Address;
  readonly authority: Address;
  readonly handle: string;
  readonly destinations: readonly Address[];
  readonly splitAcrossKeys?: boolean | undefined;
  readonly validator?: Address | undefined;
}

function expectStealthPool(request: StealthPoolRequest, source: ExpectationSource): Expectation {
  const { payer, authority, handle, destinations, splitAcrossKeys = false } = request;
  const parties = { payer, authority, handle, pool: stealthPoolOf(handle, 'handle').address };
  const claims = { payer, authority, handle };
  if (source.hints.actions.includes('delegateStealthPool')) {
    const { validator, doubts } = expectedValidator(request.validator, source);
    const instructions = planPoolSetup(parties, validator);
    return {
      sendTo: 'base',
      feePayer: payer,
      instructions,
      claims: { ...claims, validator },
      doubts,
      mints: [],
    };
  }
  const instructions = planPoolUpdate(parties, { destinations, splitAcrossKeys });
  const named = { ...claims, destinations: destinations.join(', ') };
  return { sendTo: 'ephemeral', feePayer: payer, instructions, claims: named, doubts: [], mints: [] };
}
