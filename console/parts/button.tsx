import type { ComponentChildren } from 'preact';
import { Glyph } from './glyph.tsx';

interface ButtonProps {
  readonly kind?: 'main' | 'plain' | 'quiet' | 'danger';
  readonly big?: boolean;
  readonly busy?: boolean;
  /** Why the button is disabled, shown as a tooltip. Enabled if absent. */
  readonly reason?: string | undefined;
  readonly submit?: boolean;
  readonly id?: string;
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}

/** Ignores key repeats: a held key could press a button that got the focus in the meantime. */
function pressOnce(event: KeyboardEvent): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
}

/** A button. It keeps its width and focus while busy. */
export function Button(props: ButtonProps) {
  const { kind = 'plain', big = false, busy = false, reason, submit = false, id, onClick, children } = props;
  const name = ['btn', kind, big ? 'big' : '', busy ? 'busy' : ''].filter((part) => part !== '').join(' ');
  return (
    <button
      class={name}
      type={submit ? 'submit' : 'button'}
      disabled={reason !== undefined}
      aria-busy={busy}
      {...(reason === undefined ? {} : { title: reason })}
      {...(id === undefined ? {} : { id })}
      onKeyDown={pressOnce}
      onClick={() => (busy ? undefined : onClick?.())}
    >
      {busy ? <Glyph name="ring" /> : null}
      {children}
    </button>
  );
}

interface ChipProps {
  readonly on: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** A filter that is on or off. */
export function Chip({ on, onClick, children }: ChipProps) {
  return (
    <button class="chip" type="button" aria-pressed={on} onClick={onClick}>
      {children}
    </button>
  );
}
