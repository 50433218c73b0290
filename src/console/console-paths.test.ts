import { expect, it } from 'vitest';
import { prefersHtml } from './console.ts';

it.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['text/html', true],
  ['text/html, application/json;q=0.9', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['application/json', false],
  ['application/json, text/html;q=0.9', false],
  ['application/json, text/event-stream', false],
  ['text/html;q=0, */*', false],
  ['text/html;q=0.5, */*;q=0.9', false],
])('decides whether "%s" requests a page: %s', (accept, isWanted) => {
  expect(prefersHtml(accept)).toBe(isWanted);
});
