import { isShuttleTaken } from '../../shuttle.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';
import type { Difference } from '../request/compare.ts';

/** Instructions that carry tokens by a shuttle of their own. */
const CARRYING: ReadonlySet<string> = new Set(['depositByShuttle', 'privateTransfer', 'withdrawByShuttle']);

/** Shuttles that a transaction means to open and that are there already, by instruction. */
function takenShuttles({
  calls,
}: ExplainedCalls): { readonly instruction: number; readonly message: string }[] {
  return calls.flatMap(({ matched, reading }, instruction) => {
    if (matched === null || reading === null || !CARRYING.has(matched.form.action)) return [];
    if (!isShuttleTaken(reading.accountOf('shuttle') ?? null)) return [];
    return [{ instruction, message: `shuttle ${reading.name('shuttle')} is there already` }];
  });
}

/** The program takes a repeated id for a repeated transaction: it charges its fee and moves nothing. */
export const shuttleFindings = (explained: ExplainedCalls): Finding[] =>
  takenShuttles(explained).map(({ instruction, message }) => ({
    level: 'danger',
    code: 'SHUTTLE_TAKEN',
    message: `Instruction ${instruction}: ${message}, so that the program would take its fee and move nothing.`,
    instruction,
  }));

/** The same as points in which a transaction is not what was asked for. */
export const shuttleDifferences = (explained: ExplainedCalls): Difference[] =>
  takenShuttles(explained).map(({ instruction, message }) => ({
    instruction,
    part: 'shuttleId',
    expected: 'the id of no shuttle yet',
    found: message,
  }));
