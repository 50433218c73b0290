/** How long the benchmark takes its time for. */
export interface Settings {
  readonly rounds: number;
  readonly roundMs: number;
  /** How long the idle node is watched, ms. */
  readonly idleMs: number;
}

/** A part of the benchmark that can be run by itself. */
export interface Section {
  /** What it is asked for by on the command line. */
  readonly name: string;
  /** Its heading: what is measured. */
  readonly title: string;
  /** Measures, and answers with the figures as Markdown. */
  run(settings: Settings): Promise<string>;
}
