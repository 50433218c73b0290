import { useEffect, useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { Search } from '../explorer/search.tsx';
import { Go } from '../parts/go.tsx';
import { navigate, usePath, useSearch } from '../parts/location.ts';
import type { Viewpoint } from '../parts/reader.ts';
import { Sheet } from '../parts/sheet.tsx';
import { Toast } from '../parts/copy.tsx';
import { usePlay } from '../play/play-context.ts';
import { BottomBar, TopBar } from './bars.tsx';
import { Keys } from './keys.tsx';
import { PLACES, placeOf } from './places.ts';
import { ViewpointBar } from './viewpoint-bar.tsx';
import { effectiveViewpoint, viewpointOf, withViewpoint, useViewReader } from './viewpoint.ts';
import { Views } from './views.tsx';

/** The page: bars around one view. */
export function App() {
  const console = useConsole();
  const path = usePath();
  const search = useSearch();
  const [sheet, open] = useState<'search' | 'more' | null>(null);
  const place = placeOf(path);
  const requested = viewpointOf(search);
  const hasOwner = console.owners.value.length > 0;
  const effective = effectiveViewpoint(requested, hasOwner);
  const as = console.viewpoint.value;
  const reader = useViewReader();
  useEffect(() => {
    console.look(effective);
    document.documentElement.dataset['as'] = effective;
  }, [effective]);
  useEffect(() => {
    document.title = `${place?.name ?? 'Not found'} · SPL Private Payments`;
  }, [place]);
  const look = (next: Viewpoint): void => navigate(withViewpoint(path, search, next), { replace: true });
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <TopBar place={place} onSearch={() => open('search')} />
      {place?.isLedgerData === false ? null : (
        <ViewpointBar
          as={as}
          onLook={look}
          isOwnerMissing={requested === 'owner' && !hasOwner}
          logIn={<LogInAgain />}
        />
      )}
      <Announcement as={as} />
      <main id="main" tabIndex={-1}>
        <Views onLook={(next) => lookAndPoint(look, next)} />
      </main>
      <BottomBar place={place} onMore={() => open('more')} />
      <Keys onSearch={() => open('search')} onLook={look} />
      {sheet === 'search' ? <Search reader={reader} onClose={() => open(null)} /> : null}
      {sheet === 'more' ? (
        <Sheet title="More" onClose={() => open(null)}>
          <ul class="list">
            {PLACES.slice(4).map((each) => (
              <li key={each.path} onClick={() => open(null)}>
                <Go to={each.path}>{each.name}</Go>
              </li>
            ))}
          </ul>
        </Sheet>
      ) : null}
      <Toast />
    </>
  );
}

/** A button that logs in the wallets of this tab again. */
function LogInAgain() {
  const { wallets } = useConsole();
  const play = usePlay();
  if (wallets.all.value.length === 0) return null;
  return (
    <button class="more" type="button" onClick={() => void play.logInAll()}>
      Log in
    </button>
  );
}

/** Switches the viewpoint and focuses the switch, so that users learn where it is. */
function lookAndPoint(look: (as: Viewpoint) => void, as: Viewpoint): void {
  look(as);
  document.getElementById(`vp-${as}`)?.focus();
}

/** Delay after a switch before hidden amounts are counted, ms. */
const COUNTED_AFTER_MS = 600;

/** Announces each switch of the viewpoint to screen readers. */
function Announcement({ as }: { readonly as: Viewpoint }) {
  const words = { base: 'the base ledger', anyone: 'anyone', owner: 'the owner' }[as];
  const [hidden, setHidden] = useState(0);
  useEffect(() => {
    setHidden(0);
    // Waits until the answers of the new reader are drawn.
    const timer = setTimeout(
      () => setHidden(document.querySelectorAll('main .void').length),
      COUNTED_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [as]);
  const count = hidden === 0 ? '' : ` ${hidden} ${hidden === 1 ? 'amount is' : 'amounts are'} not shown.`;
  return (
    <div class="vh" aria-live="polite">
      {`Looking as ${words}.${count}`}
    </div>
  );
}
