import { runVerb } from '../run-verb.ts';
import type { Terminal } from '../terminal.ts';

/** The output of a verb and its exit code. */
interface Typed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The terminal of a verb. */
interface TypedAt extends Partial<Pick<Terminal, 'env' | 'home' | 'canAsk'>> {
  /** The answer to every question. */
  readonly answer?: string;
  readonly input?: string;
  /** Receives each text on stderr when it is written. */
  readonly onLog?: (text: string) => void;
}

/** Runs a verb in this process as if it had been typed. */
export async function type(line: readonly string[], at: TypedAt = {}): Promise<Typed> {
  const { env = {}, home = '/nowhere', canAsk = false, answer = '', input = '', onLog } = at;
  let [stdout, stderr] = ['', ''];
  const terminal: Terminal = {
    env,
    home,
    canAsk,
    isWatched: false,
    outputClosed: new Promise(() => undefined),
    print: (text) => void (stdout += text),
    log: (text) => {
      stderr += text;
      onLog?.(text);
    },
    ask: (question) => {
      stderr += question;
      return Promise.resolve(answer);
    },
    readInput: () => Promise.resolve(input),
  };
  const [verb = '', ...args] = line;
  const code = await runVerb(verb, args, terminal);
  return { code, stdout, stderr };
}
