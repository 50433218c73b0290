/** Where a verb is typed, and where its output goes. */
export interface Terminal {
  /** The variables, those of the settings file among them. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user. */
  readonly home: string;
  /** Whether somebody can be asked. */
  readonly canAsk: boolean;
  /** Whether somebody watches what is said besides the data. */
  readonly isWatched: boolean;
  /** Resolves when nobody reads the data any more, as after `head`; told at the first write that fails. */
  readonly outputClosed: Promise<void>;
  /** Writes data. */
  print(text: string): void;
  /** Says something besides the data. */
  tell(text: string): void;
  /** What is typed in answer; empty when nothing will come. */
  ask(question: string): Promise<string>;
  /** All of the input. */
  readInput(): Promise<string>;
}
