import { assertInvariant } from '../../errors/assert-invariant.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../../programs/addresses.ts';
import { isTokenProgram } from '../../programs/token/token-program.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { CompiledMessage } from '../../solana/message.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/signature-fee.ts';
import type { FateLedger } from '../fees/sponsored-fate.ts';
import type { Sponsor } from '../fees/sponsor.ts';

/** Who pays for somebody else's transaction. */
export interface Sponsored {
  readonly sponsor: Sponsor;
  /** The most that it can cost the sponsor. */
  readonly lamports: bigint;
  /** Who asked for it, as requests are limited by; undefined where there is one caller only. */
  readonly client?: string | undefined;
}

/** Where a transaction can land, and until which block height. */
interface Landing {
  readonly ledger: FateLedger;
  readonly lastValidBlockHeight: number;
}

/**
 * Puts the sponsor's signature into an unsigned transaction. Its key signs what strangers ask for, so what
 * was built is looked at once more: the sponsor pays the fee and for accounts, somebody else signs as well,
 * and no tokens of the sponsor are moved.
 *
 * @throws {ServiceError} SPONSOR_UNAVAILABLE if the sponsor has spent what it may.
 */
export function cosign(
  wire: Uint8Array,
  message: CompiledMessage,
  instructions: readonly Instruction[],
  { sponsor, lamports, client }: Sponsored,
  { ledger, lastValidBlockHeight }: Landing,
): void {
  const { address } = sponsor;
  assertInvariant(message.signers[0] === address, 'a sponsor signs only what it pays the fee of');
  assertInvariant(message.signers.length > 1, 'a sponsor signs nothing that nobody else signs');
  const movesOwn = instructions.some(
    ({ programId, accounts }) =>
      isTokenProgram(programId) && accounts.some((account) => account.address === address),
  );
  assertInvariant(!movesOwn, 'a sponsor signs no token instruction that names it');
  const raisesFee = instructions.some(({ programId }) => programId === COMPUTE_BUDGET_PROGRAM);
  const signatureFees = LAMPORTS_PER_SIGNATURE * BigInt(message.signers.length);
  const failedLamports = raisesFee || lamports < signatureFees ? lamports : signatureFees;
  const signature = sponsor.cosign(message.bytes, {
    lamports,
    failedLamports,
    ledger,
    lastValidBlockHeight,
    client,
  });
  // The signatures come first, after their number, and that of the fee payer is the first.
  wire.set(signature, 1);
}
