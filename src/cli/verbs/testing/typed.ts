import { runVerb } from '../run-verb.ts';
import type { Terminal } from '../terminal.ts';

/** What a verb said and how it ended. */
interface Typed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where it is typed. */
interface TypedAt extends Partial<Pick<Terminal, 'env' | 'home' | 'canAsk'>> {
  /** What is answered to every question. */
  readonly answer?: string;
  readonly input?: string;
  /** Told of what is said besides the data, as it is said. */
  readonly onLog?: (text: string) => void;
}

/** Runs a verb in this process as if it was typed. */
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
