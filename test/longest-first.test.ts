import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { LONGEST } from './longest-first.ts';

it('the files that run first exist, and each is listed once', () => {
  const there = LONGEST.filter((file) => existsSync(fileURLToPath(new URL(`../${file}`, import.meta.url))));
  expect([...new Set(there)]).toEqual(LONGEST);
});
