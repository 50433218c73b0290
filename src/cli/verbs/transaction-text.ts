import type { VerbCall } from './verb-call.ts';
import { unusable } from './verb-failure.ts';

/** The first word, or where it is `-` all of the input, without the space around it. */
export async function readTransactionWord({ words, terminal }: VerbCall): Promise<string> {
  const [word = ''] = words;
  return (word === '-' ? await terminal.readInput() : word).trim();
}

/**
 * The ledger that `--send-to` names.
 *
 * @throws {VerbFailure} `config`
 */
export function readSendTo(call: VerbCall): 'base' | 'ephemeral' | undefined {
  const text = call.valueOf('send-to');
  if (text === undefined || text === 'base' || text === 'ephemeral') return text;
  throw unusable('--send-to needs base or ephemeral');
}
