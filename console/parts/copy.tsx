import { Glyph } from './glyph.tsx';
import { capitalized } from './short-text.ts';
import { signal } from './signal.ts';

/** Duration of a notification, ms. */
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

/** Shows the text of {@link notify}. Render it once per page. */
export function Toast() {
  return <div role="status">{said.value === '' ? null : <div class="toast">{said.value}</div>}</div>;
}

/** Copies a text to the clipboard and shows a notification. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} copied`);
  } catch {
    notify('The browser blocks copying');
  }
}

/** A copy button. `what` names the text in its label: "address", "signature". */
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
