import type { ComponentChildren } from 'preact';
import type { Asked } from './asked.ts';
import { Note, Skeleton } from './states.tsx';

export interface ToldProps<T> {
  readonly asked: Asked<T>;
  /** Rows that stand in for the answer. */
  readonly rows: number;
  /** Draws the answer. */
  readonly children: (value: T) => ComponentChildren;
}

/** What came of a question: what stands in for the answer, the answer, or why there is none. */
export function Told<T>({ asked, rows, children }: ToldProps<T>) {
  switch (asked.state) {
    case 'loading':
      return <Skeleton rows={rows} />;
    case 'failed':
      return <Note kind="bad">{asked.message}</Note>;
    case 'answered':
      return <>{children(asked.value)}</>;
  }
}
