/**
 * Why a transaction failed, in the JSON form Solana gives it: a fieldless variant is its name, others are an
 * object with one member (`{"InstructionError":[0,{"Custom":1}]}`).
 */
export type TransactionError =
  | string
  | { readonly InstructionError: readonly [number, InstructionErrorDetail] }
  | { readonly DuplicateInstruction: number }
  | { readonly InsufficientFundsForRent: { readonly account_index: number } }
  | { readonly ProgramExecutionTemporarilyRestricted: { readonly account_index: number } };

/** Why an instruction failed: a name, or the program's own u32 code. */
export type InstructionErrorDetail = string | { readonly Custom: number };
