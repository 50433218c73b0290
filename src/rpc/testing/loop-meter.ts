/**
 * What the turns of the event loop took, as CPU time of this process: other programs on the machine are none
 * of it.
 */
interface LoopFigures {
  /** Of the longest turn, ms. */
  readonly longestMs: number;
  /** Of all turns, ms. */
  readonly totalMs: number;
}

/** Measures the turns of the event loop until `over` resolves. */
export async function measureTurns(over: Promise<unknown>): Promise<LoopFigures> {
  const state = { isOver: false };
  let longestMs = 0;
  const begun = process.cpuUsage();
  const end = (): void => void (state.isOver = true);
  over.then(end, end);
  for (let before = begun; !state.isOver; before = process.cpuUsage()) {
    await new Promise((resolve) => setImmediate(resolve));
    longestMs = Math.max(longestMs, sumMs(process.cpuUsage(before)));
  }
  return { longestMs, totalMs: sumMs(process.cpuUsage(begun)) };
}

function sumMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}
