import { INSTRUCTION_ERRORS } from './instruction-errors.ts';
import { TRANSACTION_ERRORS } from './transaction-errors.ts';
import type { InstructionErrorDetail, TransactionError } from './transaction-error.ts';

/**
 * The sentence Agave's `Display` gives an error: the part after "Transaction simulation failed: " and
 * "invalid transaction: " of its RPC.
 *
 * @throws {Error} for a name that is in no table, which is a bug.
 */
export function describeTransactionError(error: TransactionError): string {
  if (typeof error === 'string') return textOf(TRANSACTION_ERRORS, error);
  if ('InstructionError' in error) {
    const [index, detail] = error.InstructionError;
    return `Error processing Instruction ${index}: ${describeInstructionError(detail)}`;
  }
  if ('DuplicateInstruction' in error) {
    return `Transaction contains a duplicate instruction (${error.DuplicateInstruction}) that is not allowed`;
  }
  if ('InsufficientFundsForRent' in error) {
    const index = error.InsufficientFundsForRent.account_index;
    return `Transaction results in an account (${index}) with insufficient funds for rent`;
  }
  const index = error.ProgramExecutionTemporarilyRestricted.account_index;
  return `Execution of the program referenced by account at index ${index} is temporarily restricted.`;
}

function describeInstructionError(detail: InstructionErrorDetail): string {
  if (typeof detail === 'string') return textOf(INSTRUCTION_ERRORS, detail);
  return `custom program error: 0x${detail.Custom.toString(16)}`;
}

function textOf(texts: Readonly<Record<string, string>>, name: string): string {
  const text = texts[name];
  if (text === undefined) throw new Error(`no text for the error ${name}`);
  return text;
}
