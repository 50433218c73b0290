import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Note, Skeleton } from './states.tsx';

/** The state of a request. */
export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'answered'; readonly value: T }
  | { readonly state: 'failed'; readonly message: string };

const LOADING = { state: 'loading' } as const;

/**
 * Loads a value, and loads it again when one of `on` changes. A change drops the previous value at once and
 * ignores its late answer.
 */
export function useLoaded<T>(load: () => Promise<T>, on: readonly unknown[]): Loaded<T> {
  const key = useKey(on);
  const [latest, setLatest] = useState<{ readonly key: object; readonly loaded: Loaded<T> } | null>(null);
  useEffect(() => {
    let isOver = false;
    const set = (loaded: Loaded<T>): void => {
      if (!isOver) setLatest({ key, loaded });
    };
    load().then(
      (value) => set({ state: 'answered', value }),
      (error: unknown) => set({ state: 'failed', message: wordsOf(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [key]);
  return latest?.key === key ? latest.loaded : LOADING;
}

/** Returns the same object until one of the values changes. */
function useKey(on: readonly unknown[]): object {
  const held = useRef(on);
  const same =
    on.length === held.current.length && on.every((value, at) => Object.is(value, held.current[at]));
  if (!same) held.current = on;
  return held.current;
}

/** The message of an error. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'no response';
}

interface AwaitProps<T> {
  readonly result: Loaded<T>;
  /** Rows of the placeholder. */
  readonly rows: number;
  /** Renders the value. */
  readonly children: (value: T) => ComponentChildren;
}

/** Renders a placeholder, then the value or the error. */
export function Await<T>({ result, rows, children }: AwaitProps<T>) {
  switch (result.state) {
    case 'loading':
      return <Skeleton rows={rows} />;
    case 'failed':
      return <Note kind="bad">{result.message}</Note>;
    case 'answered':
      return <>{children(result.value)}</>;
  }
}
