/** One thing that was looked at. */
export interface Finding {
  /** `fault`: something cannot work; `hint`: it works, and may surprise. */
  readonly level: 'ok' | 'hint' | 'fault';
  readonly what: string;
  readonly found: string;
  /** What to do; absent where nothing has to be done. */
  readonly mend?: string;
}
