/**
 * Makes the MCP conformance suite 0.1.14 and newer start on Node 20, when loaded with `node --import`. The
 * suite imports `globSync` from `fs`, which Node 20 lacks, but server tests do not use it.
 */
import * as fs from 'node:fs';
import { register } from 'node:module';

const FS_WITH_GLOB = `data:text/javascript,${encodeURIComponent(
  "export * from 'node:fs'; export { default } from 'node:fs'; export function globSync() { throw new Error('not on Node 20'); }",
)}`;

const HOOKS = `data:text/javascript,${encodeURIComponent(`
  export function resolve(specifier, context, next) {
    const wanted = specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/');
    return wanted ? { url: ${JSON.stringify(FS_WITH_GLOB)}, shortCircuit: true } : next(specifier, context);
  }
`)}`;

if (fs.globSync === undefined) register(HOOKS);
