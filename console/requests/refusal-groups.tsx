import { formatCount } from '../parts/decimal.ts';
import { clockTime } from '../parts/short-text.ts';
import { groupRefusals, type Entry, type RequestFilters, type ErrorTitles } from './entries.ts';

/** Maximum number of groups. Older ones are only in the list. */
const GROUPS_MAX = 5;

interface RefusalGroupsProps {
  readonly entries: readonly Entry[];
  readonly titles: ErrorTitles;
  readonly filters: RequestFilters;
  readonly onChoose: (change: Partial<RequestFilters>) => void;
}

/** The rejected calls by error code. Each group filters the list. */
export function RefusalGroups({ entries, titles, filters, onChoose }: RefusalGroupsProps) {
  const groups = groupRefusals(entries).slice(0, GROUPS_MAX);
  if (groups.length === 0) return null;
  return (
    <div class="errs" role="group" aria-label="Errors">
      {groups.map(({ code, count, lastAtMs }) => (
        <button
          key={code}
          type="button"
          aria-pressed={filters.code === code}
          onClick={() => onChoose({ code: filters.code === code ? null : code })}
        >
          <span class="code">{code}</span>
          <span class="small muted">{titles[code] ?? 'The response says what to change.'}</span>
          <span class="tiny dim">
            {formatCount(count)} {count === 1 ? 'time' : 'times'} · last {clockTime(lastAtMs)}
          </span>
        </button>
      ))}
    </div>
  );
}
