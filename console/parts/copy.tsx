import { Glyph } from './glyph.tsx';
import { capitalized } from './short-text.ts';
import { signal } from './signal.ts';

/** How long it stays, ms. */
const STAYS_MS = 1_600;

const said = signal('');
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a short notification. */
export function notify(text: string): void {
  said.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    said.value = '';
  }, STAYS_MS);
}

/** Shows the text of {@link notify}. The page has one. */
export function Toast() {
  return <div role="status">{said.value === '' ? null : <div class="toast">{said.value}</div>}</div>;
}

/** Puts a text on the clipboard and says so. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} copied`);
  } catch {
    notify('The browser blocks copying');
  }
}

/** `what` is what its name says: "address", "signature". */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const copy = (event: Event) => {
    event.stopPropagation();
    void copyText(text, capitalized(what));
  };
  return (
    <button class="copy" type="button" aria-label={`Copy ${what}`} onClick={copy}>
      <Glyph name="copy" size={13} />
    </button>
  );
}
