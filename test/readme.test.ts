import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('test/README.md has a line for each folder, in their order', () => {
  const text = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  const lines = Array.from(text.matchAll(/^\| `([\w-]+)` \| \S/gm), ([, name]) => name);
  const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(lines).toEqual(folders.toSorted());
});
