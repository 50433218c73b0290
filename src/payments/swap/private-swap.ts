import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Random } from '../../ports/random.ts';
import { COMPUTE_BUDGET_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../programs/associated-token.ts';
import {
  COMPUTE_BUDGET_TABLE,
  readBudgetRequest,
  setComputeUnitLimit,
} from '../../programs/compute-budget.ts';
import { deriveSwapBumps, scheduleSwapTransfer } from '../../programs/ephemeral-token/layout-b/swap.ts';
import { deriveStash } from '../../programs/ephemeral-token/pdas.ts';
import { deriveHydraCrank, HYDRA_PROGRAM } from '../../programs/hydra.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import {
  type DeliveryTerms,
  recipientOf,
  sealTransfer,
} from '../../programs/private-transfer/seal-transfer.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { encodeUnsignedTransaction } from '../../solana/message.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { compileV0Message } from '../../solana/versioned-message.ts';
import { deriveMintVault, readVault, readWithFreshShuttle } from '../accounts/deposit-accounts.ts';
import { forPaying, readNamedAccounts, readTokenAccount } from '../accounts/token-account.ts';
import { queueAccountsOf, queueStatusOf, recentCrankStatus } from '../accounts/transfer-queue.ts';
import { noWallet, rejectProgram } from '../accounts/wallet.ts';
import { isSmall, type Warning } from '../building/built-transaction.ts';
import { accountsOf, type Call, callsOf } from '../explain/call.ts';
import { RENT_PDA, requireRent } from '../fees/costs.ts';
import type { MintFacts } from '../mints/mint-facts.ts';
import { readMintTerms, requireMovable, requireWhole } from '../mints/mint-terms.ts';
import { NO_WRAP } from '../mints/wrapped-sol.ts';
import { deliveryTermsOf } from '../transfer/request.ts';
import { warnOfIdleQueue, warnOfKeylessPayee, warnOfRentPda } from '../transfer/warnings.ts';
import { invalidArgument, type SwapInput, type SwapOutput } from './input.ts';
import { outputMin, type SwapTerms } from './quote.ts';
import { invalidAnswer } from './swap-upstream.ts';
import type { ReadSwap } from './verify-swap.ts';

/** The payout that a private swap requests. */
export interface PrivatePayout {
  readonly destination: Address;
  readonly terms: DeliveryTerms;
}

const NEEDED = ['destination', 'minDelayMs', 'maxDelayMs', 'split'] as const;

const REFUSED = ['destinationTokenAccount', 'nativeDestinationAccount', 'asLegacyTransaction'] as const;

/**
 * Checks the arguments of a private swap, except for the checks that read the chain.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS, INVALID_OWNER, INVALID_PRIVATE_TRANSFER.
 */
export function privatePayoutOf(input: SwapInput, quote: SwapTerms): PrivatePayout {
  const missing = NEEDED.find((member) => input[member] === undefined);
  if (missing !== undefined) {
    const needed = NEEDED.join(', ');
    throw invalidArgument(missing, `${missing} is missing: a private swap needs ${needed}; pass all of them`);
  }
  const refused = REFUSED.find((member) => input[member] !== undefined && input[member] !== false);
  if (refused !== undefined) {
    throw invalidArgument(
      refused,
      `${refused} does not work for a private swap, which is a v0 transaction that pays a stash: omit it`,
    );
  }
  const destination = input.destination as Address;
  rejectProgram(destination, 'destination');
  if (destination === quote.outputMint) throw noWallet(destination, 'destination', 'the mint itself');
  return { destination, terms: deliveryTermsOf(input, outputMin(quote)) };
}

/** The parts of a private swap that do not depend on the upstream's transaction. */
interface PrivatePlan {
  readonly stash: Address;
  readonly stashAta: Address;
  readonly validator: Address;
  readonly privateTransfer: NonNullable<SwapOutput['privateTransfer']>;
  /** The first and the last instruction of the transaction. */
  readonly opening: Instruction;
  readonly closing: Instruction;
  readonly warnings: readonly Warning[];
}

/**
 * Plans the payout: the swap pays the user's stash, and a scheduled task pays out the stash's tokens through
 * a shuttle. The payout is sealed for the validator.
 *
 * @throws {ServiceError} VALIDATOR_UNRESOLVED; INVALID_ARGUMENTS if nothing can be sealed for the validator;
 *   UNSUPPORTED_MINT_EXTENSION; TRANSFER_QUEUE_NOT_INITIALIZED; TOKEN_ACCOUNT_OWNER_MISMATCH,
 *   ACCOUNT_UNREADABLE if the accounts of the mint are not as expected; the errors of a read.
 */
export async function planPrivateSwap(
  { chain, random }: { readonly chain: Chain; readonly random: Random },
  input: Pick<SwapInput, 'userPublicKey' | 'payer' | 'validator'>,
  { destination, terms }: PrivatePayout,
  facts: MintFacts,
): Promise<PrivatePlan> {
  const { userPublicKey: owner, payer = owner } = input;
  const { mint, tokenProgram } = facts;
  const validator = input.validator ?? (await chain.validatorIdentity());
  const recipient = recipientOf(validator);
  const mintTerms = await readMintTerms(chain, facts);
  requireMovable(facts, mintTerms);
  requireWhole(facts, mintTerms);
  const stash = deriveStash(owner, mint);
  const stashAta = deriveAta(stash.address, mint, tokenProgram).address;
  const place = { chain, validator, facts, stash: stash.address, stashAta };
  const [{ shuttle, state }, crank] = await Promise.all([
    readWithFreshShuttle({ owner: stash.address, mint, tokenProgram }, random, ({ id, accounts }) =>
      readPlace(place, accounts.metadata, deriveHydraCrank(stash.address, id).address),
    ),
    recentCrankStatus(chain, queueOf(place), { mint, validator }),
  ]);
  const shuttleId = shuttle.id;
  const hydraCrankPda = deriveHydraCrank(stash.address, shuttleId).address;
  const transfer = { stash, mint, shuttleId, validator, tokenProgram };
  return {
    stash: stash.address,
    stashAta,
    validator,
    privateTransfer: { stashAta, hydraCrankPda, shuttleId },
    opening: createAtaIdempotent({ payer, ata: stashAta, owner: stash.address, mint, tokenProgram }),
    closing: scheduleSwapTransfer(
      { owner, stash: stash.address, rentPda: RENT_PDA, crank: hydraCrankPda, tokenProgram },
      {
        shuttleId,
        mint,
        bumps: deriveSwapBumps(transfer),
        sealed: sealTransfer({ destinationOwner: destination, terms }, recipient, random),
      },
    ),
    warnings: [
      ...warnOfKeylessPayee(destination),
      ...state.warnings,
      ...warnOfIdleQueue(queueOf(place), crank),
    ],
  };
}

interface Place {
  readonly chain: Chain;
  readonly validator: Address;
  readonly facts: MintFacts;
  readonly stash: Address;
  readonly stashAta: Address;
}

const queueOf = ({ facts: { mint, tokenProgram }, validator }: Place): Address =>
  queueAccountsOf(mint, validator, tokenProgram).queue;

/** Reads the accounts that the payout needs, and those that it creates for one shuttle id. */
async function readPlace(place: Place, shuttle: Address, crank: Address) {
  const { chain, validator, facts, stash: owner, stashAta } = place;
  const { mint, tokenProgram } = facts;
  const { vault, vaultAta } = deriveMintVault(mint, tokenProgram);
  const queue = queueOf(place);
  const found = await readNamedAccounts(chain, {
    vault: vault.address,
    vaultAta,
    queue,
    shuttle,
    crank,
    stashAta,
    rentPda: RENT_PDA,
    rent: RENT_SYSVAR,
  });
  const status = queueStatusOf(queue, found.queue, { mint, validator });
  if (status !== 'delegated' || readVault({ vault, vaultAta, mint, tokenProgram }, found) === null) {
    throw new ServiceError(
      'TRANSFER_QUEUE_NOT_INITIALIZED',
      `A private swap cannot pay out mint ${mint}, because it has no vault or no transfer queue on validator ${validator}: initialize the mint first (spl.initializeMint), or pass another validator`,
      { field: 'validator', mint, validator },
    );
  }
  const held = readTokenAccount({ ata: stashAta, owner, mint, tokenProgram }, found.stashAta, forPaying);
  return {
    shuttleTaken: found.shuttle !== null || found.crank !== null,
    warnings: [
      ...(held === null || held.amount === 0n ? [] : [warnOfStash(stashAta, held.amount)]),
      ...warnOfRentPda({ sponsor: null }, { rentPda: found.rentPda, rent: requireRent(found.rent) }, NO_WRAP),
    ],
  };
}

const warnOfStash = (stashAta: Address, amount: bigint): Warning => ({
  code: 'STASH_NOT_EMPTY',
  message: `The stash ${stashAta} holds ${amount} base units, possibly from an earlier private swap. A payout takes everything in the stash, so its recipient would also get those tokens: wait until the stash is empty.`,
});

/**
 * Compute units for the payout's instructions. They use up to 46,200 before Hydra's part, as measured with
 * the program of layout B. The hosted API adds only 40,000 and relies on units that the swap does not use.
 */
const PAYOUT_UNITS = 60_000n;

/** Maximum compute units of a transaction (Agave `MAX_COMPUTE_UNIT_LIMIT`). */
export const COMPUTE_UNITS_MAX = 1_400_000n;

/** Micro-lamports in a lamport. */
export const MICRO = 1_000_000n;

/** Maximum accounts of a transaction (Agave `MAX_TX_ACCOUNT_LOCKS`). */
const ACCOUNTS_MAX = 128;

/**
 * Checks that a transaction pays the stash's token account and cannot schedule its own payout, which would
 * require the stash itself.
 *
 * @throws {ServiceError} UPSTREAM_INVALID.
 */
function requireStash({ transaction, accounts }: ReadSwap, { stash, stashAta }: PrivatePlan): void {
  const forbidden = new Set([stash, EPHEMERAL_TOKEN_PROGRAM, HYDRA_PROGRAM]);
  const other = accounts.find(({ address }) => address !== null && forbidden.has(address));
  if (other !== undefined) {
    throw invalidAnswer('transaction', `it names ${other.address}, so it could redirect the output`);
  }
  if (!accounts.some(({ address, writable }) => address === stashAta && writable)) {
    throw invalidAnswer('transaction', `it does not pay token account ${stashAta}, which was requested`);
  }
  if (transaction.version === 1 || accounts.length > ACCOUNTS_MAX) {
    throw invalidAnswer('transaction', `it has version 1, or more than ${ACCOUNTS_MAX} accounts`);
  }
}

/**
 * Adds the payout to a swap's transaction: creates the stash's token account first, and schedules the payout
 * last.
 *
 * @returns the new transaction; null if it is too large.
 * @throws {ServiceError} UPSTREAM_INVALID if the swap does not pay only the stash.
 */
export function addPayout(swap: ReadSwap, plan: PrivatePlan, priorityFeeMax: bigint): ReadSwap | null {
  requireStash(swap, plan);
  const { transaction: old, tables } = swap;
  const message = compileV0Message(
    {
      feePayer: old.staticKeys[0] as Address,
      blockhash: old.wire.subarray(old.blockhashAt, old.blockhashAt + 32),
      instructions: [plan.opening, ...raiseLimit(swap.calls, priorityFeeMax), plan.closing],
    },
    ...old.lookups.map(({ table: address }) => ({ address, addresses: tables.get(address) ?? [] })),
  );
  if (!isSmall(message)) return null;
  const transaction = decodeTransaction(encodeUnsignedTransaction(message));
  const accounts = accountsOf(transaction, tables);
  return { ...swap, transaction, accounts, calls: callsOf(transaction, accounts) };
}

/**
 * Raises the compute unit limit by the units for the payout. Lowers the unit price if the priority fee would
 * exceed its maximum.
 */
function raiseLimit(calls: readonly Call[], priorityFeeMax: bigint): Instruction[] {
  const requests = calls.map(({ program, data }) =>
    program === COMPUTE_BUDGET_PROGRAM ? readBudgetRequest(data) : null,
  );
  const { setComputeUnitLimit: limit, setComputeUnitPrice: price } = COMPUTE_BUDGET_TABLE;
  const old = requests.find((request) => request?.tag === limit.tag)?.value;
  const units = old === undefined ? null : lesser(old + PAYOUT_UNITS, COMPUTE_UNITS_MAX);
  return calls.map((call, index) => {
    const { tag, value = 0n } = requests[index] ?? {};
    if (units !== null && tag === limit.tag) return setComputeUnitLimit(Number(units));
    if (units !== null && tag === price.tag) {
      return encode(price, {}, { microLamports: lesser(value, (priorityFeeMax * MICRO) / units) });
    }
    const accounts = call.accounts.map((account) => ({ ...account, address: account.address as Address }));
    return { programId: call.program, accounts, data: call.data };
  });
}

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);
