import type { ComponentChildren } from 'preact';
import { navigate, useSearch } from './location.ts';

interface GoProps {
  readonly to: string;
  readonly class?: string;
  readonly title?: string;
  readonly label?: string;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** Adds the current viewpoint to a URL. */
export function keepViewpoint(to: string, search: string): string {
  const as = new URLSearchParams(search).get('as');
  if (as === null || /[?&]as=/.test(to)) return to;
  return `${to}${to.includes('?') ? '&' : '?'}as=${as}`;
}

/** A link inside the page that keeps the viewpoint. The browser handles clicks with modifier keys. */
export function Go({ to, title, label, current, children, class: name }: GoProps) {
  const href = keepViewpoint(to, useSearch());
  const click = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a
      href={href}
      class={name}
      title={title}
      aria-label={label}
      aria-current={current === true ? 'page' : undefined}
      onClick={click}
    >
      {children}
    </a>
  );
}
