import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';

/** Extra rows rendered above and below the visible ones, to avoid gaps during scrolling. */
const SPARE = 10;

/** The rendered rows of a long list. */
interface RowWindow {
  readonly from: number;
  /** The first row after the rendered ones. */
  readonly to: number;
}

/**
 * Computes the rows to render.
 *
 * @param count total number of rows.
 * @param rowPx height of a row.
 * @param scrollPx scroll offset of the list.
 * @param heightPx visible height of the list.
 */
export function rowWindow(count: number, rowPx: number, scrollPx: number, heightPx: number): RowWindow {
  const first = Math.min(Math.floor(Math.max(scrollPx, 0) / rowPx), count);
  const seen = Math.ceil(heightPx / rowPx);
  return { from: Math.max(first - SPARE, 0), to: Math.min(first + seen + SPARE, count) };
}

/** Row heights for mouse and touch, px. */
const ROW_PX = 36;
const ROW_TOUCH_PX = 44;

/** Assumed visible height before the first scroll event, px: the maximum that the styles allow. */
const HEIGHT_PX = 760;

export interface Column<Row> {
  readonly head: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  /** `num` aligns right; `wide` hides the column in narrow windows. */
  readonly class?: string;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Pass the same array while the columns do not change, because a new one renders every cell again. */
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly selected?: string | undefined;
  readonly rowClass?: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  /** Called with whether the list is at its top, where new rows can be shown at once. */
  readonly onTop?: (top: boolean) => void;
}

/** A long list that renders only its visible rows. `j` and `k` focus rows, Enter opens one. */
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

/** Focuses the next or previous row on arrow keys. */
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

/** Fills the height of rows that are not rendered. */
function Spacer({ heightPx, columns }: { readonly heightPx: number; readonly columns: number }) {
  if (heightPx <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td class="gone" colSpan={columns} style={{ height: `${heightPx}px` }} />
    </tr>
  );
}
