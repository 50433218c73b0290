import { assertInvariant } from '../../errors/assert-invariant.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../../programs/addresses.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { CompiledMessage } from '../../solana/message.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/signature-fee.ts';
import type { Sponsor } from '../fees/sponsor.ts';
import type { FateLedger } from '../fees/sponsored-fate.ts';

/** Who pays for another wallet's transaction. */
export interface Sponsored {
  readonly sponsor: Sponsor;
  /** The most that it can cost the sponsor. */
  readonly lamports: bigint;
  /** The client that requested it, as used by the rate limits; undefined if there is only one caller. */
  readonly client?: string | undefined;
}

/** The ledger of a transaction, and the last block height at which it can land. */
interface Landing {
  readonly ledger: FateLedger;
  readonly lastValidBlockHeight: number;
}

/**
 * Adds the sponsor's signature to an unsigned transaction. Strangers request these transactions, so the
 * result is checked again: the sponsor pays the fee and creates accounts, someone else signs too, and no
 * tokens of the sponsor move.
 *
 * @throws {ServiceError} SPONSOR_UNAVAILABLE if the sponsor has reached its spending limit.
 */
export async function cosign(
  wire: Uint8Array,
  message: CompiledMessage,
  instructions: readonly Instruction[],
  { sponsor, lamports, client }: Sponsored,
  { ledger, lastValidBlockHeight }: Landing,
): Promise<void> {
  const { address } = sponsor;
  assertInvariant(message.signers[0] === address, 'a sponsor signs only if it pays the fee');
  assertInvariant(message.signers.length > 1, 'a sponsor signs only if someone else signs too');
  const movesOwn = instructions.some(
    ({ programId, accounts }) =>
      isTokenProgram(programId) && accounts.some((account) => account.address === address),
  );
  assertInvariant(!movesOwn, 'a sponsor signs no token instruction that names it');
  const raisesFee = instructions.some(({ programId }) => programId === COMPUTE_BUDGET_PROGRAM);
  const signatureFees = LAMPORTS_PER_SIGNATURE * BigInt(message.signers.length);
  const failedLamports = raisesFee || lamports < signatureFees ? lamports : signatureFees;
  const signature = await sponsor.cosign(message.bytes, {
    lamports,
    failedLamports,
    ledger,
    lastValidBlockHeight,
    client,
  });
  // The signatures come first, after their number, and that of the fee payer is the first.
  wire.set(signature, 1);
}
