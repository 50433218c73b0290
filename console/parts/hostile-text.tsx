import { useState } from 'preact/hooks';
import { firstCharacters, splitHostile } from './pieces.ts';

/** Characters that are shown before someone asks for all. */
const SHOWN = 140;

/** Characters that are shown at most: more would stop the page, whatever was asked for. */
const SHOWN_MOST = 20_000;

/**
 * A text that someone else wrote: a memo, a handle, a log. It cannot turn round what stands beside it, cannot hide
 * characters, and cannot fill the page.
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
