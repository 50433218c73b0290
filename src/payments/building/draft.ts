import { z } from 'zod';
import type { Instruction } from '../../solana/instruction.ts';
import { type BuiltTransaction, warning, type Warning } from './built-transaction.ts';

/** The contents of a transaction and the remarks on it, before it has a blockhash and bytes. */
export interface Draft {
  readonly instructions: readonly Instruction[];
  /** Problems to fix before sending. */
  readonly warnings: readonly Warning[];
  /** Sentences about effects that the name of the operation does not imply. */
  readonly notes: readonly string[];
}

/** The result member for warnings. */
export const warningsMember = {
  warnings: z
    .array(warning)
    .optional()
    .meta({ description: 'What to fix before sending; absent if there is nothing to fix.' }),
};

export const warningsOf = (warnings: readonly Warning[]): { warnings?: Warning[] } =>
  warnings.length === 0 ? {} : { warnings: [...warnings] };

/** The result member for remarks that no other member contains. */
export const notesMember = {
  notes: z.array(z.string()).optional().meta({
    description:
      'Further facts, in sentences: figures in whole tokens, and what no other member contains. Absent if there are none.',
  }),
};

export const notesOf = (notes: readonly string[]): { notes?: string[] } =>
  notes.length === 0 ? {} : { notes: [...notes] };

/** One sentence per warning. */
export const warningSentences = (warnings: readonly Warning[]): string[] =>
  warnings.map(({ message }) => `Before sending: ${message}`);

/** The names of the two ledgers in sentences. */
export const LEDGERS = { base: 'the base ledger', ephemeral: 'the rollup' } as const;

/** What to do with a built transaction, and by when. */
export const signingAdvice = (signer: string, { sendTo, lastValidBlockHeight }: BuiltTransaction): string =>
  `Sign it as ${signer} and send it to ${LEDGERS[sendTo]} before block height ${lastValidBlockHeight} has passed.`;
