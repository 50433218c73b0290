/** One line of what programs wrote, at its depth. */
export interface LogLine {
  readonly kind: 'call' | 'log' | 'failed' | 'other';
  /** Depth of the call, 1 for an instruction of the transaction. */
  readonly depth: number;
  /** Of a call: the program. */
  readonly program?: string;
  /** Of a call: what its program says it was asked for, as in "Instruction: Transfer". */
  readonly instruction?: string;
  /** Of a call: what it consumed with the calls within it. */
  readonly computeUnits?: number;
  readonly text: string;
}

/** Lines that are read: a transaction's logs are cut at 10,000 bytes by the VM, a hostile node's are not. */
const LINES_MAX = 2_000;

/** What a program may write of its instruction comes first and at once. */
const INSTRUCTION = /^Program log: Instruction: (\S{1,60})/;
const INVOKE = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[(\d{1,2})\]$/;
const CONSUMED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) consumed (\d{1,10}) of \d{1,10} compute units$/;
const SUCCESS = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) success$/;
const FAILED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: (.*)$/s;

interface Building {
  kind: LogLine['kind'];
  depth: number;
  text: string;
  program?: string;
  instruction?: string;
  computeUnits?: number;
}

/**
 * The calls of a transaction and what was written in each, in order.
 *
 * A program may write lines that look like the VM's: only those of the program that runs are taken for the VM's own.
 */
export function readLogs(logs: readonly string[]): LogLine[] {
  const lines: Building[] = [];
  const calls: Building[] = [];
  for (const text of logs.slice(0, LINES_MAX)) readLine(text, lines, calls);
  if (logs.length > LINES_MAX) {
    lines.push({ kind: 'other', depth: 0, text: `and ${logs.length - LINES_MAX} lines more` });
  }
  return lines;
}

function readLine(text: string, lines: Building[], calls: Building[]): void {
  const running = calls.at(-1);
  const [, program, depth] = INVOKE.exec(text) ?? [];
  if (program !== undefined && Number(depth) === calls.length + 1) {
    const call: Building = { kind: 'call', depth: calls.length + 1, program, text: '' };
    lines.push(call);
    calls.push(call);
    return;
  }
  const instruction = INSTRUCTION.exec(text)?.[1];
  if (running !== undefined && instruction !== undefined && running.instruction === undefined) {
    running.instruction = instruction;
    return;
  }
  const [, consumer, units] = CONSUMED.exec(text) ?? [];
  if (running !== undefined && consumer === running.program) {
    running.computeUnits = Number(units);
    return;
  }
  if (running !== undefined && SUCCESS.exec(text)?.[1] === running.program) {
    calls.pop();
    return;
  }
  const [, failed, reason = ''] = FAILED.exec(text) ?? [];
  if (running !== undefined && failed === running.program) {
    lines.push({ kind: 'failed', depth: running.depth, text: reason });
    calls.pop();
    return;
  }
  lines.push({ kind: 'log', depth: calls.length, text: text.replace(/^Program log: /, '') });
}
