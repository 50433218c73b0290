/** Rows above and below what is seen that are drawn as well, so that scrolling meets no gap. */
const SPARE = 10;

/** Which rows of a long list are drawn. */
export interface RowWindow {
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
