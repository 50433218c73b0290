import { Glyph } from '../parts/glyph.tsx';
import { STEPS } from './tour.ts';

/** The five steps of the tour, with the current one marked. */
export function Steps({ now }: { readonly now: number }) {
  return (
    <ol class="steps">
      {STEPS.map((name, at) => (
        <li
          key={name}
          class={at < now ? 'done' : at === now ? 'now' : ''}
          {...(at === now ? { 'aria-current': 'step' } : {})}
        >
          <span class="n">{at < now ? <Glyph name="tick" /> : at + 1}</span>
          <span>
            {name}
            {at < now ? <span class="vh">, done</span> : null}
          </span>
        </li>
      ))}
    </ol>
  );
}
