import { useEffect, useState } from 'preact/hooks';
import { useLoaded, wordsOf } from '../parts/loaded.tsx';
import { Button } from '../parts/button.tsx';
import type { ConsoleState } from '../../src/console/answers.ts';
import { formatCount } from '../parts/decimal.ts';
import { followService, getJson } from '../parts/service-api.ts';
import { navigate, useSearch, searchOf } from '../parts/location.ts';
import { Empty, Note, Skeleton } from '../parts/states.tsx';
import { CallDetail } from './call-detail.tsx';
import { CallTable } from './call-table.tsx';
import {
  filterEntries,
  joinEntries,
  readRequestFilters,
  type Entry,
  type RequestFilters,
  type RequestLog,
  type ErrorTitles,
} from './entries.ts';
import { RefusalGroups } from './refusal-groups.tsx';
import { RequestChips } from './request-chips.tsx';

interface RequestsProps {
  /** Texts from the service about its list; null while loading. */
  readonly texts: ConsoleState['callTexts'] | null;
}

/** The latest calls of the service with their results and durations. */
export function Requests({ texts }: RequestsProps) {
  const search = useSearch();
  const [isPaused, setPaused] = useState(false);
  const [clearedBefore, setClearedBefore] = useState(0);
  const [open, setOpen] = useState<number | null>(null);
  const log = useRequestLog(isPaused);
  const known = useLoaded(() => getJson<ErrorTitles>('/console/api/error-titles'), []);
  const titles = known.state === 'answered' ? known.value : {};
  const filters = readRequestFilters(search);
  const choose = (change: Partial<RequestFilters>) =>
    navigate(`/console/requests${searchOf({ ...filters, ...change })}`, { replace: true });
  const all = log.entries.filter(({ seq }) => seq > clearedBefore);
  const shown = filterEntries(all, filters);
  const listed = filterEntries(all, { ...filters, door: null, code: null, refused: false, slow: false });
  const chosen = all.find(({ seq }) => seq === open) ?? null;
  return (
    <>
      <div class="head">
        <div>
          <h1>Requests</h1>
          <p>
            The last {formatCount(listed.length)} {texts?.list}
          </p>
        </div>
        <div class="row">
          <Button onClick={() => setPaused(!isPaused)}>{isPaused ? 'Resume' : 'Pause'}</Button>
          <Button onClick={() => setClearedBefore(all[0]?.seq ?? clearedBefore)}>Clear</Button>
        </div>
      </div>
      <RefusalGroups entries={listed} titles={titles} filters={filters} onChoose={choose} />
      <RequestChips entries={listed} filters={filters} onChoose={choose} />
      <div class="cols calls">
        <section class="card" aria-label="Calls">
          <Calls
            none={texts?.none ?? ''}
            log={log}
            shown={shown}
            open={open}
            onOpen={({ seq }) => setOpen(seq)}
          />
        </section>
        {chosen === null ? null : (
          <CallDetail entry={chosen} entries={all} titles={titles} note={texts?.call ?? null} />
        )}
      </div>
    </>
  );
}

interface HeldLog {
  readonly state: 'loading' | 'answered' | 'failed';
  readonly entries: readonly Entry[];
  readonly message: string;
}

interface CallsProps {
  /** Text for an empty list. */
  readonly none: string;
  readonly log: HeldLog;
  readonly shown: readonly Entry[];
  readonly open: number | null;
  readonly onOpen: (entry: Entry) => void;
}

function Calls({ none, log, shown, open, onOpen }: CallsProps) {
  if (log.state === 'loading') return <Skeleton rows={8} />;
  if (log.state === 'failed') return <Note kind="bad">{log.message}</Note>;
  if (shown.length === 0) {
    return (
      <Empty title="No calls yet.">
        {none}
        <br />
        <a class="btn" href="/reference">
          Open the API reference
        </a>
      </Empty>
    );
  }
  return <CallTable entries={shown} open={open} onOpen={onOpen} />;
}

/** Loads the calls that the service has stored, and follows new ones unless paused. */
function useRequestLog(isPaused: boolean): HeldLog {
  const [log, setLog] = useState<HeldLog>({ state: 'loading', entries: [], message: '' });
  useEffect(() => {
    if (isPaused) return;
    let isOver = false;
    const take = (came: readonly Entry[]) => {
      if (isOver) return;
      setLog(({ entries }) => ({ state: 'answered', entries: joinEntries(entries, came), message: '' }));
    };
    const read = () =>
      getJson<RequestLog>('/console/api/requests').then(
        ({ entries }) => take(entries.toReversed()),
        (error: unknown) => {
          const message = wordsOf(error);
          if (!isOver) setLog((before) => ({ ...before, state: 'failed', message }));
        },
      );
    const pending: Entry[] = [];
    let frame = 0;
    const end = followService({
      reset: () => void read(),
      request: (data) => {
        pending.unshift(data as Entry);
        frame ||= requestAnimationFrame(() => {
          frame = 0;
          take(pending.splice(0));
        });
      },
    });
    void read();
    return () => {
      isOver = true;
      cancelAnimationFrame(frame);
      end();
    };
  }, [isPaused]);
  return log;
}
