// Writes src/client/generated.ts from the schemas of the operations: npm run client
import { writeFileSync } from 'node:fs';
import { renderClient } from './client/render-client.ts';

writeFileSync(new URL('../src/client/generated.ts', import.meta.url), await renderClient());
