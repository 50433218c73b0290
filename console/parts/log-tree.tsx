import { useState } from 'preact/hooks';
import { formatCount } from './decimal.ts';
import { HostileText } from './hostile-text.tsx';
import { useKnown } from './names.ts';
import { shorten } from './short-text.ts';

/** One line of the logs with its call depth. */
interface LogLine {
  readonly kind: 'call' | 'log' | 'failed' | 'other';
  /** Depth of the call, 1 for an instruction of the transaction. */
  readonly depth: number;
  /** The program of a call. */
  readonly program?: string;
  /** The instruction that a program logs for a call, as in "Instruction: Transfer". */
  readonly instruction?: string;
  /** Compute units of a call, including inner calls. */
  readonly computeUnits?: number;
  readonly text: string;
}

/** Maximum lines that are read. The VM limits logs to 10,000 bytes, but a hostile node does not. */
const LINES_MAX = 2_000;

/** The line with which a program logs its instruction. */
const INSTRUCTION = /^Program log: Instruction: (\S{1,60})/;
/** A line of the VM about a program: start with depth, consumed units, or result. */
const OF_VM =
  /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) (?:invoke \[(\d{1,2})\]|consumed (\d{1,10}) of \d{1,10} compute units|(success)|failed: (.*))$/s;

interface Building {
  kind: LogLine['kind'];
  depth: number;
  text: string;
  program?: string;
  instruction?: string;
  computeUnits?: number;
}

/**
 * Parses the calls of a transaction and the lines that each logged, in order.
 *
 * Programs can log lines that look like the VM's. Only lines about the running program count as the VM's.
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
  const [, program, depth, units, success, reason] = OF_VM.exec(text) ?? [];
  const instruction = INSTRUCTION.exec(text)?.[1];
  if (program !== undefined && Number(depth) === calls.length + 1) {
    const call: Building = { kind: 'call', depth: calls.length + 1, program, text: '' };
    lines.push(call);
    calls.push(call);
  } else if (running !== undefined && instruction !== undefined && running.instruction === undefined) {
    running.instruction = instruction;
  } else if (running === undefined || running.program !== program || depth !== undefined) {
    lines.push({ kind: 'log', depth: calls.length, text: text.replace(/^Program log: /, '') });
  } else if (units !== undefined) {
    running.computeUnits = Number(units);
  } else {
    calls.pop();
    if (success === undefined) lines.push({ kind: 'failed', depth: running.depth, text: reason ?? '' });
  }
}

/** Number of lines shown at first. */
const SHOWN = 200;

/** Maximum indentation level. The VM allows nine levels. */
const DEEPEST = 5;

/** The calls of a transaction by depth, with their compute units. */
export function LogTree({ logs }: { readonly logs: readonly string[] }) {
  const [whole, setWhole] = useState(false);
  const lines = readLogs(logs);
  const shown = whole ? lines : lines.slice(0, SHOWN);
  return (
    <div class="log" tabIndex={0} role="region" aria-label="Programs and logs">
      {shown.map((line, at) => (
        <Line key={at} line={line} />
      ))}
      {lines.length > shown.length ? (
        <button class="more" type="button" onClick={() => setWhole(true)}>
          show all {formatCount(lines.length)} lines
        </button>
      ) : null}
    </div>
  );
}

function Line({ line }: { readonly line: LogLine }) {
  const depth = Math.min(line.kind === 'call' ? line.depth : line.depth + 1, DEEPEST);
  return (
    <div class={`d${depth}`}>
      <span class={line.kind === 'call' ? '' : line.kind === 'failed' ? 'st bad' : 'dim'}>
        <Words line={line} />
      </span>
      {line.computeUnits === undefined ? null : <span class="cu">{formatCount(line.computeUnits)}</span>}
    </div>
  );
}

function Words({ line }: { readonly line: LogLine }) {
  const { names } = useKnown();
  if (line.program === undefined) return <HostileText text={line.text} />;
  return (
    <>
      <span title={line.program}>{names.get(line.program) ?? shorten(line.program)}</span>
      {line.instruction === undefined ? null : (
        <b>
          {' '}
          <HostileText text={line.instruction} />
        </b>
      )}
    </>
  );
}
