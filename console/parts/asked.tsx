import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Note, Skeleton } from './states.tsx';

/** What came of a question: nothing yet, an answer, or why there is none. */
export type Asked<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'answered'; readonly value: T }
  | { readonly state: 'failed'; readonly message: string };

const LOADING = { state: 'loading' } as const;

/**
 * Asks once, and again when one of `on` changes: then the former answer is dropped at once, from what is drawn as
 * well. An answer that comes after that is not taken.
 */
export function useAsked<T>(ask: () => Promise<T>, on: readonly unknown[]): Asked<T> {
  const key = useKey(on);
  const [told, setTold] = useState<{ readonly key: object; readonly asked: Asked<T> } | null>(null);
  useEffect(() => {
    const tell = (asked: Asked<T>) => setTold({ key, asked });
    let isOver = false;
    ask().then(
      (value) => (isOver ? undefined : tell({ state: 'answered', value })),
      (error: unknown) => (isOver ? undefined : tell({ state: 'failed', message: wordsOf(error) })),
    );
    return () => {
      isOver = true;
    };
  }, [key]);
  return told?.key === key ? told.asked : LOADING;
}

/** One object for as long as none of the values changes. */
function useKey(on: readonly unknown[]): object {
  const held = useRef(on);
  const same =
    on.length === held.current.length && on.every((value, at) => Object.is(value, held.current[at]));
  if (!same) held.current = on;
  return held.current;
}

/** Why there is no answer. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'no answer';
}

interface ToldProps<T> {
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
