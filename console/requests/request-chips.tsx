import { Chip } from '../parts/button.tsx';
import { formatCount } from '../parts/decimal.ts';
import { Glyph } from '../parts/glyph.tsx';
import { DOOR_NAMES } from './call-table.tsx';
import { isRefused, SLOW_MS, type Door, type Entry, type RequestFilters } from './entries.ts';

interface RequestChipsProps {
  readonly entries: readonly Entry[];
  readonly filters: RequestFilters;
  readonly onChoose: (change: Partial<RequestFilters>) => void;
}

/** The filters of the list, with the number of matching calls. */
export function RequestChips({ entries, filters, onChoose }: RequestChipsProps) {
  const { door, code, refused, slow, own } = filters;
  const isAll = door === null && code === null && !refused && !slow;
  return (
    <div class="row wrap chips gap" role="group" aria-label="Filters">
      <Chip on={isAll} onClick={() => onChoose({ door: null, code: null, refused: false, slow: false })}>
        All <span class="dim">{formatCount(entries.length)}</span>
      </Chip>
      {(Object.keys(DOOR_NAMES) as Door[]).map((name) => (
        <Chip key={name} on={door === name} onClick={() => onChoose({ door: door === name ? null : name })}>
          {DOOR_NAMES[name]}{' '}
          <span class="dim">{formatCount(entries.filter((entry) => entry.door === name).length)}</span>
        </Chip>
      ))}
      <Chip on={refused} onClick={() => onChoose({ refused: !refused })}>
        <Glyph name="triangle" />
        Errors <span class="dim">{formatCount(entries.filter(isRefused).length)}</span>
      </Chip>
      <Chip on={slow} onClick={() => onChoose({ slow: !slow })}>
        Over {SLOW_MS} ms{' '}
        <span class="dim">{formatCount(entries.filter(({ ms }) => ms > SLOW_MS).length)}</span>
      </Chip>
      <Chip on={own} onClick={() => onChoose({ own: !own })}>
        Calls from this page
      </Chip>
    </div>
  );
}
