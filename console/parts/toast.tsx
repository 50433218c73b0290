import { signal } from './signal.ts';

/** How long it stays, ms. */
const STAYS_MS = 1_600;

const said = signal('');
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says that something was copied; errors are told where they happened, not here. */
export function tell(text: string): void {
  said.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    said.value = '';
  }, STAYS_MS);
}

/** The one place of the page where {@link tell} is shown. */
export function Toast() {
  return <div role="status">{said.value === '' ? null : <div class="toast">{said.value}</div>}</div>;
}
