import { runLoad, type LoadResult } from './load.ts';
import type { Settings } from './section.ts';
import type { ServerProcess } from './server-process.ts';

/** One kind of request, sent to one server: a row of a table. */
export interface LoadRow {
  readonly name: string;
  /** What the column of servers says. */
  readonly serverName: string;
  readonly server: ServerProcess;
  readonly port: number;
  readonly path: string;
  /** The bodies of a round. */
  readonly bodies: () => readonly string[] | Promise<readonly string[]>;
  readonly accepts: (body: string) => boolean;
  /** Other than those of the table. */
  readonly connections?: number;
  /** The row of the peer that does the same job. */
  readonly twin?: string | undefined;
  /** Does for so long, in process, what the ledger does of it; CPU time of one turn, us. */
  readonly inProcess?: ((durationMs: number) => Promise<number>) | undefined;
}

/** One row's figures over all rounds. */
export interface MeasuredRow {
  readonly row: LoadRow;
  readonly rounds: readonly (LoadResult & {
    /** Not a number where the row has nothing in process. */
    readonly inProcessMicros: number;
  })[];
}

/**
 * The compiler has its way in the first round, which does not count; where rounds are short, twice as long as
 * one.
 */
const WARM_UP_MS = 1_500;

/**
 * Loads the servers, one row after another, round after round.
 *
 * @throws {Error} when an answer is not what a row accepts.
 */
export async function measureRows(
  rows: readonly LoadRow[],
  { rounds, roundMs }: Settings,
  connections: number,
): Promise<readonly MeasuredRow[]> {
  const measured = rows.map((row) => ({ row, rounds: [] as MeasuredRow['rounds'][number][] }));
  for (let round = -1; round < rounds; round++) {
    const durationMs = round < 0 ? Math.min(WARM_UP_MS, 2 * roundMs) : roundMs;
    for (const { row, rounds: figures } of measured) {
      const inProcessMicros = (await row.inProcess?.(durationMs)) ?? Number.NaN;
      const { name, server, port, path, accepts } = row;
      const bodies = await row.bodies();
      const load = { port, path, bodies, accepts, durationMs, cpuMs: server.cpuMs };
      const result = await runLoad({ ...load, connections: row.connections ?? connections });
      if (result.failures > 0) {
        throw new Error(`${name}: ${result.failures} wrong answers: ${JSON.stringify(result.firstFailure)}`);
      }
      if (round >= 0) figures.push({ ...result, inProcessMicros });
    }
  }
  return measured;
}
