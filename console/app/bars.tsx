import { useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { Glyph } from '../parts/glyph.tsx';
import { Go } from '../parts/go.tsx';
import { Mark } from '../parts/mark.tsx';
import { Status } from '../parts/status.tsx';
import { PLACES, type Place } from './places.ts';
import { storedTheme, setTheme, themeAfter, THEME_WORDS } from './theme.ts';

/** The top bar: logo, views, search, cluster and theme. */
export function TopBar({ place, onSearch }: { readonly place: Place | null; readonly onSearch: () => void }) {
  return (
    <header class="top">
      <Go class="brand" to="/console/" label="Private Payments, start">
        <Mark />
        <span class="long">Private Payments</span>
      </Go>
      <nav class="nav" aria-label="Views">
        {PLACES.map((each) => (
          <Go to={each.path} current={each === place} key={each.path}>
            {each.name}
          </Go>
        ))}
      </nav>
      <button class="search" type="button" aria-label="Search: address, signature, slot" onClick={onSearch}>
        <Glyph name="search" size={16} />
        <span>Address, signature, slot</span>
        <kbd aria-hidden="true">/</kbd>
      </button>
      <Cluster />
      <ThemeButton />
    </header>
  );
}

function Cluster() {
  const { state, stateFault } = useConsole();
  if (stateFault.value !== null)
    return (
      <span class="cluster">
        <Status kind="bad">no response</Status>
      </span>
    );
  const known = state.value;
  if (known === null) return <span class="cluster" />;
  return (
    <span class="cluster">
      {known.play ? (
        <>
          <Status kind="ok" glyphOnly>
            connected
          </Status>
          <span>
            {known.cluster}
            <span class="long dim"> · play money</span>
          </span>
        </>
      ) : (
        <Status kind="warn">{known.cluster}</Status>
      )}
    </span>
  );
}

function ThemeButton() {
  const [theme, change] = useState(() => storedTheme(localStorage));
  return (
    <button
      class="icon"
      type="button"
      aria-label={`Theme: ${THEME_WORDS[theme]}`}
      onClick={() => {
        const next = themeAfter(theme);
        setTheme(next, document.documentElement, localStorage);
        change(next);
      }}
    >
      <Glyph name="theme" size={16} />
    </button>
  );
}

/** Number of places with a button in the bottom bar; `More` lists the others. */
const SHOWN = 4;

/** The navigation of narrow windows. */
export function BottomBar({ place, onMore }: { readonly place: Place | null; readonly onMore: () => void }) {
  const isMore = place !== null && PLACES.indexOf(place) >= SHOWN;
  return (
    <nav class="bottom" aria-label="Main views">
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
