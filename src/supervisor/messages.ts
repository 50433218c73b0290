/** ListenPorts that are listened on, by the variable that sets them. A restarted process takes the ports of the one before. */
export type ListenPorts = Readonly<Record<string, number>>;

/** What a process is told when it starts. */
export interface Start {
  /** How many processes were started before this one. */
  readonly restarts: number;
  /** How the one before died, in words; null for the first. */
  readonly death: string | null;
  /** Where the last one that got ready listened; null while none has. */
  readonly ports: ListenPorts | null;
  /**
   * Variables of the settings file as they were at the first start. They come over the channel: anybody may read a
   * command line.
   */
  readonly settings: Readonly<Record<string, string>>;
  /** A folder that is not there yet. What is put into it outlives a crash, and is thrown away at the end. */
  readonly scratchFolder: string;
}

/** What is the same for every start. */
export type StartDefaults = Pick<Start, 'settings' | 'scratchFolder'>;

/** What the parent sends over the channel: once how to start, then perhaps that it is time to stop. */
export type ParentMessage = { readonly kind: 'start'; readonly start: Start } | { readonly kind: 'stop' };

/**
 * What the child sends: that it serves, and where; then, where it says so at all, again and again that it is alive; and
 * that it ends in order, after which nothing is to be heard of it.
 */
export type ChildMessage =
  | { readonly kind: 'ready'; readonly ports: ListenPorts }
  | { readonly kind: 'beat' }
  | { readonly kind: 'stopping' };
