import { VARIABLES } from '../../../config/config.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import { systemClock } from '../../../ports/clock.ts';
import { silentLogger } from '../../../ports/logger.ts';
import { systemRandom } from '../../../ports/random.ts';
import { homeInFolder } from '../../../stack/ledger-home.ts';
import { LocalnetPrograms } from '../../../stack/localnet-programs.ts';
import type { Finding } from './finding.ts';
import { ledgerFolderOf } from './ledger-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The programs that the operator gives, read and tried as `start` does; null where none are given. Nothing is
 * kept of it.
 */
export async function findGivenPrograms(env: Environment): Promise<Finding | null> {
  const what = 'on-chain programs';
  const { name, parse } = VARIABLES.localnetPrograms;
  const text = (env[name] ?? '').trim();
  if (text === '') return null;
  try {
    const localnetPrograms = parse(text);
    const ports = { clock: systemClock, random: systemRandom, logger: silentLogger };
    const { programs: kept } = homeInFolder(ledgerFolderOf(env));
    await LocalnetPrograms.open({ config: { localnetPrograms }, ports, kept, isUpgrade: false });
    return { level: 'ok', what, found: `those that ${name} names` };
  } catch (error) {
    // What is wrong with the text itself is a RangeError.
    if (!isServiceError(error) && !(error instanceof RangeError)) throw error;
    const why = error instanceof RangeError ? `${name} ${error.message}` : error.message;
    return { level: 'fault', what, found: why, mend: `Set ${name} right, or leave it out.` };
  }
}
