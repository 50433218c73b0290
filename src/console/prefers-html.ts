import { qualityOf } from '../service/header-quality.ts';

/**
 * Whether whoever sent this `Accept` wants a page: HTML by its name, and nothing more than that. Programs
 * send none, or take anything.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const html = qualityOf(accept, 'text/html') ?? 0;
  if (html === 0) return false;
  return ['*/*', 'application/json'].every((type) => html >= (qualityOf(accept, type) ?? 0));
}
