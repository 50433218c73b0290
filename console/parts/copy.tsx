import { Glyph } from './glyph.tsx';
import { capitalized } from './shorten.ts';
import { tell } from './toast.tsx';

/** Puts a text on the clipboard and says so. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(`${what} copied`);
  } catch {
    tell('The browser does not let this page copy');
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
