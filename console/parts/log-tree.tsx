import { useState } from 'preact/hooks';
import { formatCount } from './decimal.ts';
import { HostileText } from './hostile-text.tsx';
import { readLogs, type LogLine } from './log-lines.ts';
import { useKnown } from './names.ts';
import { shorten } from './shorten.ts';

/** Lines that are shown before somebody asks for all. */
const SHOWN = 200;

/** The deepest level that is set in further; the VM itself allows nine. */
const DEEPEST = 5;

/** The calls of a transaction by depth, with what they consumed at the right edge. */
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
