import { createContext, runInContext } from 'node:vm';

/** A button that the script made. */
interface MadeButton {
  textContent: string;
  click(): Promise<void>;
}

/** What the script made, and what it copied. */
class Played {
  readonly clipboard: string[] = [];
  readonly #buttons = new Map<string, MadeButton>();

  get(text: string): MadeButton | undefined {
    return this.#buttons.get(text);
  }

  /** What a page does with the button after the element whose text is `text`. */
  add(text: string, button: MadeButton): void {
    this.#buttons.set(text, button);
  }
}

/**
 * Runs the script of the reference page on a page with one element that can be copied, whose text is `body`.
 *
 * @param clipboard whether the browser gives the page its clipboard.
 */
export async function runScript(url: string, clipboard: 'given' | 'refused'): Promise<Played> {
  const script = await (await fetch(url)).text();
  const played = new Played();
  const makeButton = (): object => {
    let press = (): unknown => undefined;
    return {
      textContent: '',
      addEventListener: (_event: string, listener: () => unknown) => (press = listener),
      click: async () => void (await press()),
    };
  };
  const source = { textContent: 'body', after: (button: MadeButton) => played.add('body', button) };
  const page = {
    querySelectorAll: (selector: string) => (selector === '[data-copy]' ? [source] : []),
    createElement: makeButton,
    addEventListener: () => undefined,
  };
  const writeText = (text: string): Promise<void> => {
    if (clipboard === 'refused') return Promise.reject(new Error('not allowed'));
    played.clipboard.push(text);
    return Promise.resolve();
  };
  const scope = {
    document: page,
    navigator: { clipboard: { writeText } },
    getSelection: () => ({ selectAllChildren: () => undefined }),
    setTimeout: () => undefined,
  };
  runInContext(script, createContext(scope));
  return played;
}
