import { COMPUTE_BUDGET_PROGRAM } from '../../programs/addresses.ts';
import { LAMPORTS_PER_SIGNATURE } from '../rent-costs.ts';
import { describeLamports } from './address-book.ts';
import type { Call } from './call.ts';
import type { Finding } from './finding.ts';

/** Compute units of an instruction and of a transaction where nothing is set (Agave `DEFAULT_INSTRUCTION_COMPUTE_UNIT_LIMIT`, `MAX_COMPUTE_UNIT_LIMIT`). */
const UNITS_PER_INSTRUCTION = 200_000n;
const UNITS_MAX = 1_400_000n;

const MICRO = 1_000_000n;

/**
 * The most a transaction can cost its fee payer on the base ledger besides what the instructions move: signatures and,
 * where a compute unit price is set, the priority fee.
 */
export function networkFeeMax(signatureCount: number, calls: readonly Call[]): bigint {
  let price = 0n;
  let limit: bigint | null = null;
  let others = 0n;
  for (const { program, data } of calls) {
    if (program !== COMPUTE_BUDGET_PROGRAM) {
      others++;
      continue;
    }
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (data[0] === 2 && data.length === 5) limit = BigInt(view.getUint32(1, true));
    if (data[0] === 3 && data.length === 9) price = view.getBigUint64(1, true);
  }
  const wanted = limit ?? others * UNITS_PER_INSTRUCTION;
  const units = wanted > UNITS_MAX ? UNITS_MAX : wanted;
  return BigInt(signatureCount) * LAMPORTS_PER_SIGNATURE + (price * units + MICRO - 1n) / MICRO;
}

/** From here on a fee is named as a danger: two thousand times what a signature costs. */
const HIGH_FEE_LAMPORTS = 10_000_000n;

/** A priority fee can take a wallet's lamports as well as any transfer. */
export function feeFindings(signatureCount: number, calls: readonly Call[]): Finding[] {
  const fee = networkFeeMax(signatureCount, calls);
  if (fee < HIGH_FEE_LAMPORTS) return [];
  const message = `The compute budget lets the network take up to ${describeLamports(fee)} from the fee payer.`;
  return [{ level: 'danger', code: 'HIGH_NETWORK_FEE', message }];
}
