import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderClient } from '../../scripts/client/render-client.ts';
import { REST_TABLE } from '../service/rest/rest-table.ts';
import { ROUTES } from './generated.ts';

it('generated.ts matches the schemas; otherwise run: npm run client', async () => {
  const written = readFileSync(new URL('generated.ts', import.meta.url), 'utf8');
  expect(written === (await renderClient()), 'npm run client').toBe(true);
});

it('has every REST operation', () => {
  expect(Object.keys(ROUTES)).toEqual(Object.keys(REST_TABLE));
});
