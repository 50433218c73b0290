/** TCP ports in use, by the variable that sets them. A restarted process takes the same ones. */
export type ListenPorts = Readonly<Record<string, number>>;

/** The start message of a process. */
export interface Start {
  /** Number of processes started in this one's place before it. */
  readonly restarts: number;
  /** The number of this worker process, from 1; null for a single process. */
  readonly worker: number | null;
  /** Whether any process has been ready before. */
  readonly hasServed: boolean;
  /** How the previous one ended, as text; null for the first. */
  readonly death: string | null;
  /** The ports of the last one that was ready; null if none was, and where several share them. */
  readonly ports: ListenPorts | null;
  /**
   * Variables of the settings file as of the first start. They come over the channel because command lines
   * are visible to everybody.
   */
  readonly settings: Readonly<Record<string, string>>;
  /** A folder that does not exist yet. Its content survives a crash and is removed at the end. */
  readonly scratchFolder: string;
}

/** The parts that are the same for every start. */
export type StartDefaults = Pick<Start, 'settings' | 'scratchFolder'>;

/** Messages of the parent: the start, then perhaps a stop. */
export type ParentMessage = { readonly kind: 'start'; readonly start: Start } | { readonly kind: 'stop' };

/**
 * Messages of the child: it hears what it is sent (with `node:cluster`, what comes sooner is lost); it is
 * ready, and on which ports; heartbeats, if it sends any; and that it is shutting down, after which it sends
 * nothing.
 */
export type ChildMessage =
  | { readonly kind: 'joined' }
  | { readonly kind: 'ready'; readonly ports: ListenPorts }
  | { readonly kind: 'beat' }
  | { readonly kind: 'stopping' };
