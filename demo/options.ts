import { parseArgs } from 'node:util';

/** What the demo is to play. */
export interface Options {
  readonly rounds: number;
  readonly restarts: boolean;
  /** The folder of the programs of the networks; undefined for the life on the usual ones. */
  readonly programs: string | undefined;
  readonly seed: number;
}

/** How the demo is called. */
export const USAGE =
  'Usage: npm run demo -- [--rounds NUMBER] [--restarts] | --programs DIR [--seed NUMBER]   (rounds: a whole number from 1)';

/** What the arguments ask for; null when it cannot be told. */
export function readOptions(args: readonly string[]): Options | null {
  const options = {
    rounds: { type: 'string' },
    restarts: { type: 'boolean', default: false },
    programs: { type: 'string' },
    seed: { type: 'string' },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const { rounds: times = '1', seed: chosen = String(Math.floor(Math.random() * 1_000_000)) } = values;
    const { programs: folder, restarts: isRestarting } = values;
    const isMixed =
      folder === undefined ? values.seed !== undefined : isRestarting || values.rounds !== undefined;
    if (/^[1-9]\d{0,8}$/.test(times) && /^\d{1,9}$/.test(chosen) && folder !== '' && !isMixed) {
      return { restarts: isRestarting, programs: folder, rounds: Number(times), seed: Number(chosen) };
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return null;
}
