import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';

/** Extra rows drawn above and below the visible ones, so that scrolling shows no gap. */
const SPARE = 10;

/** Which rows of a long list are drawn. */
interface RowWindow {
  readonly from: number;
  /** The first row that is not drawn. */
  readonly to: number;
}

/**
 * @param count rows in all.
 * @param rowPx height of a row.
 * @param scrollPx how far the list is scrolled.
 * @param heightPx height of what is seen of it.
 */
export function rowWindow(count: number, rowPx: number, scrollPx: number, heightPx: number): RowWindow {
  const first = Math.min(Math.floor(Math.max(scrollPx, 0) / rowPx), count);
  const seen = Math.ceil(heightPx / rowPx);
  return { from: Math.max(first - SPARE, 0), to: Math.min(first + seen + SPARE, count) };
}

/** Heights of a row, px: the second where a finger points. */
const ROW_PX = 36;
const ROW_TOUCH_PX = 44;

/** What is seen of the list before it was scrolled, px: no more than the styles allow it. */
const HEIGHT_PX = 760;

export interface Column<Row> {
  readonly head: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  /** `num` sets it to the right edge, `wide` leaves it out of narrow windows. */
  readonly class?: string;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Keep the same array while columns do not change: a new one redraws every cell. */
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly selected?: string | undefined;
  readonly rowClass?: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  /** Whether the list is at its top: new rows may enter there without moving what is read. */
  readonly onTop?: (top: boolean) => void;
}

/** A long list of which only the rows in sight are drawn. `j` and `k` walk through the rows, Enter opens one. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, columns, keyOf } = props;
  const rowPx = useRef(matchMedia('(pointer: coarse)').matches ? ROW_TOUCH_PX : ROW_PX).current;
  const [seen, setSeen] = useState({ scrollPx: 0, heightPx: HEIGHT_PX });
  const frame = useRef(0);
  const { from, to } = rowWindow(rows.length, rowPx, seen.scrollPx, seen.heightPx);
  const onScroll = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      setSeen({ scrollPx: currentTarget.scrollTop, heightPx: currentTarget.clientHeight });
      props.onTop?.(currentTarget.scrollTop < rowPx);
    });
  };
  return (
    <div class="rows" tabIndex={0} role="region" aria-label={label} onScroll={onScroll} onKeyDown={moveRow}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} scope="col" class={column.class ?? ''}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer heightPx={from * rowPx} columns={columns.length} />
          {rows.slice(from, to).map((row, at) => (
            <TableRow key={keyOf(row)} row={row} index={from + at + 2} table={props} />
          ))}
          <Spacer heightPx={(rows.length - to) * rowPx} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

/** Arrows walk through the rows; the first one enters them. */
function moveRow(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('tr[data-row]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly table: DataTableProps<Row>;
}

function TableRow<Row>({ row, index, table }: TableRowProps<Row>) {
  const { columns, keyOf, selected, rowClass, onOpen } = table;
  const on = selected === keyOf(row) ? 'on' : '';
  const open = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) onOpen?.(row);
  };
  const cells = useMemo(
    () =>
      columns.map((column, at) => (
        <td key={at} class={column.class ?? ''}>
          {column.cell(row)}
        </td>
      )),
    [row, columns],
  );
  return (
    <tr
      class={`${on} ${rowClass?.(row) ?? ''}`.trim()}
      data-row
      tabIndex={-1}
      aria-rowindex={index}
      aria-selected={on !== ''}
      onClick={() => onOpen?.(row)}
      onKeyDown={open}
    >
      {cells}
    </tr>
  );
}

/** Stands for the rows that are not drawn. */
function Spacer({ heightPx, columns }: { readonly heightPx: number; readonly columns: number }) {
  if (heightPx <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td class="gone" colSpan={columns} style={{ height: `${heightPx}px` }} />
    </tr>
  );
}
