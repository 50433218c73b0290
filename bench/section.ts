import type { Figures } from './figures.ts';

/** How long the benchmark takes its time for. */
export interface Settings {
  readonly rounds: number;
  readonly roundMs: number;
  /** How long the idle node is watched, ms. */
  readonly idleMs: number;
}

/** What a section has measured. */
export interface Findings {
  /** All of it, as Markdown. */
  readonly text: string;
  /** What of it the marks are judged by (marks.ts). */
  readonly figures?: Partial<Figures>;
}

/** A part of the benchmark that can be run by itself. */
export interface Section {
  /** What it is asked for by on the command line. */
  readonly name: string;
  /** Its heading: what is measured. */
  readonly title: string;
  run(settings: Settings): Promise<Findings>;
}
