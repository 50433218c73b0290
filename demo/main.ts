import { parseArgs } from 'node:util';
import { lifeOnLayoutA } from './layout-a.ts';
import { lifeOnLayoutB } from './layout-b.ts';

/**
 * Runs the whole life of a private payment on a localnet in this process, with the package's entry points for
 * tests and `@solana/kit`. Checks every balance on both ledgers, and exits with 0 only if all are exact.
 *
 * npm run demo                      on the programs of localnet (layout A) npm run demo -- --programs DIR
 * on the programs of the networks (layout B), whose files are in DIR
 */
const programs = readPrograms();
if (programs === undefined) await lifeOnLayoutA();
else await lifeOnLayoutB(programs);
console.log('\nEvery balance is exact.');

function readPrograms(): string | undefined {
  try {
    return parseArgs({ options: { programs: { type: 'string' } } }).values.programs;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error('Usage: npm run demo -- [--programs DIR]');
    process.exit(2);
  }
}
