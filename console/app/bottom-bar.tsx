import { Glyph } from '../parts/glyph.tsx';
import { Go } from '../parts/go.tsx';
import { PLACES, type Place } from './places.ts';

/** Places that have a button of their own at 390 px; `More` has the others. */
const SHOWN = 4;

/** The views where the window is narrow. */
export function BottomBar({ place, onMore }: { readonly place: Place | null; readonly onMore: () => void }) {
  const isMore = place !== null && PLACES.indexOf(place) >= SHOWN;
  return (
    <nav class="bottom" aria-label="Views, narrow">
      {PLACES.slice(0, SHOWN).map((each) => (
        <Go to={each.path} current={each === place} key={each.path}>
          <Glyph name={each.glyph} size={18} />
          {each.name}
        </Go>
      ))}
      <button type="button" onClick={onMore} {...(isMore ? { 'aria-current': 'page' } : {})}>
        <Glyph name="dots" size={18} />
        More
      </button>
    </nav>
  );
}
