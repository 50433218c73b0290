import { z } from 'zod';
import { warning, type BuiltTransaction, type Instructions, type Warning } from './built-transaction.ts';

/** What a transaction is to contain and what there is to say about it, before it has a blockhash and bytes. */
export interface Draft {
  readonly instructions: Instructions;
  /** What to mend before sending. */
  readonly warnings: readonly Warning[];
  /** Sentences about what it does besides what its name says. */
  readonly notes: readonly string[];
}

/** The member of a result that carries warnings. */
export const warningsMember = {
  warnings: z
    .array(warning)
    .optional()
    .meta({ description: 'What to mend before sending; absent when nothing is the matter.' }),
};

/** The value of {@link warningsMember}: the member is left out when there is nothing to warn of. */
export const warningsOf = (warnings: readonly Warning[]): { warnings?: Warning[] } =>
  warnings.length === 0 ? {} : { warnings: [...warnings] };

/** The member of a result that carries what its sentences tell and no other member does. */
export const notesMember = {
  notes: z.array(z.string()).optional().meta({
    description:
      'What else there is to know, in sentences: figures in whole tokens, and what no other member tells. Absent when there is nothing.',
  }),
};

/** The value of {@link notesMember}: the member is left out when there is nothing to note. */
export const notesOf = (notes: readonly string[]): { notes?: string[] } =>
  notes.length === 0 ? {} : { notes: [...notes] };

/** A sentence for each warning. */
export const warningSentences = (warnings: readonly Warning[]): string[] =>
  warnings.map(({ message }) => `Before sending: ${message}`);

/** The ledgers a transaction can be for, in words. */
export const LEDGERS = { base: 'the base ledger', ephemeral: 'the rollup' } as const;

/** What to do with a transaction that was built, and until when. */
export const signingAdvice = (signer: string, { sendTo, lastValidBlockHeight }: BuiltTransaction): string =>
  `Sign it as ${signer} and send it to ${LEDGERS[sendTo]} before block height ${lastValidBlockHeight} has passed.`;
