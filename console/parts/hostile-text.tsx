import { useState } from 'preact/hooks';
import { firstCharacters, splitHostile } from './pieces.ts';

/** Number of characters shown at first. */
const SHOWN = 140;

/** Maximum number of characters shown. More would block the page. */
const SHOWN_MOST = 20_000;

/**
 * An untrusted text, for example a memo, handle or log. It cannot reorder the text next to it, hide
 * characters, or fill the page.
 */
export function HostileText({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState(false);
  const shown = firstCharacters(text, whole ? SHOWN_MOST : SHOWN);
  const left = text.length - shown.length;
  return (
    <>
      <bdi>
        {splitHostile(shown).map((piece, at) =>
          piece.kind === 'text' ? (
            piece.text
          ) : (
            <span class="ch" key={at}>
              {piece.text}
            </span>
          ),
        )}
      </bdi>
      {left > 0 && !whole ? (
        <button class="more" type="button" onClick={() => setWhole(true)}>
          show all
        </button>
      ) : null}
      {left > 0 && whole ? <span class="dim"> and {left} more characters</span> : null}
    </>
  );
}
