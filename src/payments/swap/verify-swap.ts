import type { Chain } from '../../chain/chain.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  JUPITER_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import { decodeJupiterRoute, type JupiterRoute } from '../../programs/jupiter.ts';
import { usesDurableNonce } from '../../programs/system.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import type { Address } from '../../solana/address.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/signature-fee.ts';
import type { Rent } from '../../solana/account.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { Warning } from '../building/built-transaction.ts';
import { AddressBook } from '../explain/address-book.ts';
import { accountsOf, type Call, type CallAccount, callsOf, type TableContents } from '../explain/call.ts';
import { networkFeeMax } from '../explain/findings/cost-findings.ts';
import { readChainFacts } from '../explain/state/chain-facts.ts';
import { requireRent } from '../fees/costs.ts';
import { readTransactionText } from '../fields/transaction-field.ts';
import { programsOf, runSimulation } from '../simulation/with-simulation.ts';
import { BPS } from './quote.ts';
import { effectsFault, type ExpectedSwap } from './swap-effects.ts';
import { invalidAnswer } from './swap-upstream.ts';

/** The request for a transaction that an upstream builds. */
interface SwapOrder extends Omit<ExpectedSwap, 'networkFee' | 'rent'> {
  /** Maximum priority fee, in lamports. */
  readonly priorityFeeMax: bigint;
}

/** Programs that a swap may call. Jupiter's program calls the exchanges. Any other program is reported. */
const SWAP_PROGRAMS: ReadonlySet<Address> = new Set([
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  JUPITER_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
]);

/** Maximum number of simulations of a transaction that seems wrong, because its accounts may have changed. */
const SIMULATIONS_MAX = 2;

/** The facts about a swap transaction in its bytes and lookup tables. */
export interface ReadSwap {
  readonly transaction: Transaction;
  readonly tables: TableContents;
  readonly accounts: readonly CallAccount[];
  readonly calls: readonly Call[];
  readonly rent: Rent;
  readonly warnings: readonly Warning[];
}

/**
 * Verifies a transaction that an upstream built: its signers, its fee and its limits; and its effects on the
 * user and the payer, by a simulation on the ledger.
 *
 * @throws {ServiceError} the errors of {@link readSwap} and {@link requireEffects}.
 */
export async function verifySwap(chain: Chain, swapTransaction: string, order: SwapOrder): Promise<ReadSwap> {
  const swap = await readSwap(chain, swapTransaction, order);
  await requireEffects(chain, swap, order);
  return swap;
}

/**
 * Reads a transaction that an upstream built, and verifies everything but its effects.
 *
 * @throws {ServiceError} UPSTREAM_INVALID with the difference; the other UPSTREAM_* errors of the ledger.
 */
export async function readSwap(chain: Chain, swapTransaction: string, order: SwapOrder): Promise<ReadSwap> {
  const transaction = decode(swapTransaction);
  requireSigners(transaction, order);
  if (usesDurableNonce(transaction)) {
    throw invalidAnswer('transaction', 'it uses a durable nonce, so it would never expire');
  }
  const { tables, accounts: known } = await readChainFacts(
    chain,
    { transaction, also: [RENT_SYSVAR] },
    new AddressBook(),
    undefined,
  );
  const accounts = accountsOf(transaction, tables);
  const calls = callsOf(transaction, accounts);
  requireFee(transaction, calls, order);
  if (accounts.some(({ address }) => address === null))
    throw invalidAnswer('transaction', 'it uses a lookup table that does not exist');
  const rent = requireRent(known.get(RENT_SYSVAR) ?? null);
  const warnings = [...programWarnings(transaction), ...requireLimits(calls, order)];
  return { transaction, tables, accounts, calls, rent, warnings };
}

function decode(swapTransaction: string): Transaction {
  try {
    return readTransactionText(swapTransaction);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    throw invalidAnswer(
      'transaction',
      'it is not a single unsigned Solana transaction of at most 1232 bytes',
    );
  }
}

function requireSigners(transaction: Transaction, { user, payer }: SwapOrder): void {
  const signers = transaction.staticKeys.slice(0, transaction.requiredSignatures);
  if (signers[0] !== payer) {
    throw invalidAnswer('transaction', `its fee payer is ${signers[0]}, but ${payer} was requested`);
  }
  if (!signers.includes(user)) throw invalidAnswer('transaction', `${user} does not sign it`);
  const other = signers.find((signer) => signer !== user && signer !== payer);
  if (other !== undefined) throw invalidAnswer('transaction', `${other} must also sign it`);
}

/** Computes the maximum priority fee of a transaction, in lamports. */
export const priorityFeeOf = (transaction: Transaction, calls: readonly Call[]): bigint =>
  networkFeeMax(transaction, calls) - BigInt(transaction.requiredSignatures) * LAMPORTS_PER_SIGNATURE;

function requireFee(transaction: Transaction, calls: readonly Call[], { priorityFeeMax }: SwapOrder): void {
  const priority = priorityFeeOf(transaction, calls);
  if (priority <= priorityFeeMax) return;
  throw invalidAnswer(
    'transaction',
    `its priority fee is up to ${priority} lamports, but at most ${priorityFeeMax} were allowed`,
  );
}

/**
 * Checks the limits that Jupiter's program enforces when the transaction lands. A simulation shows only the
 * price of this moment.
 *
 * @throws {ServiceError} UPSTREAM_INVALID if they are worse than the quote.
 */
function requireLimits(calls: readonly Call[], { inputMax, outputMin }: SwapOrder): Warning[] {
  const routes = calls.flatMap(({ program, data }) =>
    program === JUPITER_PROGRAM ? (decodeJupiterRoute(data) ?? []) : [],
  );
  if (routes.length !== 1) return [NOT_ENFORCED];
  const { swapMode, amount, quotedAmount, slippageBps } = routes[0] as JupiterRoute;
  const isExactIn = swapMode === 'ExactIn';
  const bps = BigInt(isExactIn ? BPS - slippageBps : BPS + slippageBps);
  const limit = (quotedAmount * bps) / BigInt(BPS);
  const [most, least] = isExactIn ? [amount, limit] : [limit, amount];
  if (most > inputMax) {
    throw invalidAnswer(
      'transaction',
      `it may pay ${most} base units, but at most ${inputMax} were requested`,
    );
  }
  // The upstream may have rounded the quote up and the program the limit down.
  if (least + 1n < outputMin) {
    const why = `it accepts an output of ${least} base units, but at least ${outputMin} were requested`;
    throw invalidAnswer('transaction', why);
  }
  return [];
}

const NOT_ENFORCED: Warning = {
  code: 'MINIMUM_NOT_ENFORCED',
  message:
    'No known instruction enforces the quoted amounts. The simulation showed them, but the price may be worse when the transaction lands.',
};

/**
 * Verifies the effects of a transaction on the user and the payer, by simulating it on the ledger.
 *
 * @throws {ServiceError} UPSTREAM_INVALID with the difference; TRANSACTION_FAILED if it would fail now;
 *   UPSTREAM_UNAVAILABLE if it cannot be simulated; the other UPSTREAM_* errors of the ledger.
 */
export async function requireEffects(
  chain: Chain,
  { transaction, accounts: named, calls, rent }: Omit<ReadSwap, 'tables' | 'warnings'>,
  order: SwapOrder,
): Promise<void> {
  requireFee(transaction, calls, order);
  const expected = { ...order, networkFee: networkFeeMax(transaction, calls), rent };
  const watch = named.flatMap(({ address, writable }) => (address !== null && writable ? [address] : []));
  for (let simulation = 1; ; simulation++) {
    const { summary, accounts } = await runSimulation({
      node: chain,
      layout: chain.layout,
      wire: transaction.wire,
      watch,
      programs: programsOf(transaction),
      token: undefined,
    });
    const { status, error } = summary;
    if (status === 'unavailable') {
      throw new ServiceError(
        'UPSTREAM_UNAVAILABLE',
        `The swap could not be checked, because the ledger of cluster ${chain.cluster} did not simulate it; try again`,
      );
    }
    if (status === 'fails') {
      throw new ServiceError(
        'TRANSACTION_FAILED',
        `The swap would fail now: ${error?.message} Check the tokens and the SOL of the wallet, or request a new quote`,
        error === undefined ? {} : { reason: error.name },
      );
    }
    const fault =
      accounts.length < new Set(watch).size
        ? 'it changes too many accounts'
        : effectsFault(accounts, expected);
    if (fault === null) return;
    // The wallet may have paid or received something between the read and the simulation.
    if (simulation === SIMULATIONS_MAX) throw invalidAnswer('transaction', fault);
  }
}

function programWarnings(transaction: Transaction): Warning[] {
  const unknown = new Set(programsOf(transaction).filter((program) => !SWAP_PROGRAMS.has(program)));
  return [...unknown].map((program) => ({
    code: 'UNKNOWN_PROGRAM',
    message: `The swap calls program ${program}, which swaps do not usually call. The simulation showed only the requested effects. Sign it only if you trust this program.`,
  }));
}
