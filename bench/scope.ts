import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a section has opened and must close, however it ends. */
export interface Scope {
  /** Keeps something to be stopped at the end, the last first. */
  keep<T extends { stop(): unknown }>(opened: T): T;
  /** A new folder that goes away at the end. */
  folder(): Promise<string>;
}

/** Does something and then stops all that it opened. */
export async function inScope<T>(act: (scope: Scope) => Promise<T>): Promise<T> {
  const stops: (() => unknown)[] = [];
  try {
    return await act({
      keep: (opened) => {
        stops.push(() => opened.stop());
        return opened;
      },
      folder: async () => {
        const path = await mkdtemp(join(tmpdir(), 'spl-bench-'));
        stops.push(() => rm(path, { recursive: true, force: true }));
        return path;
      },
    });
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}
