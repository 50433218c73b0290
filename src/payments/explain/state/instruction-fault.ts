import type { FindingCode } from '../finding-codes.ts';
import type { Finding } from '../finding.ts';
import type { Difference } from '../request/compare.ts';

/** A fault of one instruction that the ledger reveals. */
export interface InstructionFault {
  readonly instruction: number;
  /** A clause without a full stop. */
  readonly message: string;
}

/** Faults as dangers. `consequence` ends each sentence. */
export const faultFindings = (
  faults: readonly InstructionFault[],
  code: FindingCode,
  consequence = '',
): Finding[] =>
  faults.map(({ instruction, message }) => ({
    level: 'danger',
    code,
    message: `Instruction ${instruction}: ${message}${consequence}.`,
    instruction,
  }));

/** The same as differences from a request. */
export const faultDifferences = (
  faults: readonly InstructionFault[],
  part: string,
  expected: string,
): Difference[] =>
  faults.map(({ instruction, message }) => ({ instruction, part, expected, found: message }));
