import { DataTable, type Column } from '../parts/data-table.tsx';
import { formatCount } from '../parts/decimal.ts';
import { HostileText } from '../parts/hostile-text.tsx';
import { Status, Tag, type StatusKind } from '../parts/status.tsx';
import { clockTime } from '../parts/short-text.ts';
import { isRefused, type Door, type Entry } from './entries.ts';

export const DOOR_NAMES: Readonly<Record<Door, string>> = {
  mcp: 'MCP',
  rest: 'REST',
  base: 'Base',
  rollup: 'Rollup',
};

/** The status kind of a call. The caller can fix 4xx errors, but not 5xx errors. */
export function kindOf(entry: Entry): StatusKind {
  if (entry.status >= 500) return 'bad';
  return isRefused(entry) ? 'warn' : 'ok';
}

const COLUMNS: readonly Column<Entry>[] = [
  { head: 'Time', class: 'mono dim wide', cell: ({ atMs }) => clockTime(atMs, true) },
  { head: 'Via', cell: ({ door }) => <Tag>{DOOR_NAMES[door]}</Tag> },
  {
    head: 'Call',
    class: 'mono call',
    cell: ({ call }) => <HostileText text={call} />,
  },
  { head: 'Status', cell: (entry) => <Status kind={kindOf(entry)}>{entry.status}</Status> },
  {
    head: 'Code',
    class: 'mono tiny wide',
    cell: (entry) => (entry.code === null ? null : <span class={`st ${kindOf(entry)}`}>{entry.code}</span>),
  },
  { head: 'ms', class: 'num wide', cell: ({ ms }) => ms.toFixed(1) },
  { head: 'Bytes', class: 'num dim wide', cell: ({ responseBytes }) => formatCount(responseBytes) },
];

interface CallTableProps {
  readonly entries: readonly Entry[];
  readonly open: number | null;
  readonly onOpen: (entry: Entry) => void;
}

export function CallTable({ entries, open, onOpen }: CallTableProps) {
  return (
    <DataTable
      label="List of calls"
      rows={entries}
      columns={COLUMNS}
      keyOf={({ seq }) => String(seq)}
      selected={open === null ? undefined : String(open)}
      onOpen={onOpen}
    />
  );
}
