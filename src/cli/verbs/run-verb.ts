import { findNearest } from '../nearest.ts';
import { badFlag, readFlags } from '../read-flags.ts';
import { VERB_EXIT_CODES } from './exit-codes.ts';
import { tellFailure } from './tell-failure.ts';
import type { Terminal } from './terminal.ts';
import { VerbCall } from './verb-call.ts';
import { flagsOf, SERVING, VERBS, type Verb } from './verb-table.ts';

/**
 * Runs a verb.
 *
 * @param args what stands behind the verb.
 * @returns the exit code of {@link VERB_EXIT_CODES}. It does not throw: failures are told on stderr.
 */
export async function runVerb(name: string, args: readonly string[], terminal: Terminal): Promise<number> {
  const isJson = args.includes('--json');
  try {
    const verb = verbOf(name);
    const { words, values } = readFlags(args, flagsOf(verb));
    if (values.has('help')) {
      terminal.print((await import('./verb-help.ts')).formatVerbHelp(name, verb));
      return VERB_EXIT_CODES.done;
    }
    requireWords(name, verb, words);
    const run = await verb.load();
    return VERB_EXIT_CODES[await run(new VerbCall(words, values, terminal))];
  } catch (error) {
    return tellFailure(error, { isJson, terminal });
  }
}

function verbOf(name: string): Verb {
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (verb !== undefined) return verb;
  const nearest = findNearest(name, [...SERVING, ...Object.keys(VERBS)]);
  throw badFlag(`Unknown command '${name}'.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`);
}

function requireWords(
  name: string,
  { words, wordCount: [least, most] }: Verb,
  given: readonly string[],
): void {
  const usage = `${name} ${words}`.trim();
  if (given.length < least) throw badFlag(`Something is missing: ${usage}.`);
  if (given.length > most) throw badFlag(`Unexpected argument '${given[most]}': ${usage}.`);
}
