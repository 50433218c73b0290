/**
 * What `findOrder` found, kept beside the packages: only a build whose scripts changed searches anew.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOrder, inOrder } from './order-functions.mjs';

const SEARCH = readFileSync(new URL('order-functions.mjs', import.meta.url));

/**
 * Orders the functions of a module so that they take fewer bytes as gzip.
 *
 * @param code of a module, minified.
 * @param folder where orders are kept; it is made. One that cannot be written to costs a search each time.
 * @returns the code in its order: the same, whether it was searched for or kept.
 */
export function orderFunctions(code, folder) {
  // The search, and the zlib that measured for it, are part of the name: another may find another order.
  const hash = createHash('sha256').update(SEARCH).update(process.versions.zlib).update(code).digest('hex');
  const file = join(folder, `${hash.slice(0, 32)}.json`);
  try {
    return inOrder(code, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // None is kept, or not a whole one.
  }
  const order = findOrder(code);
  keep(file, folder, order);
  return inOrder(code, order);
}

/** Builds may run beside each other: each writes a file of its own, and the whole file takes the name. */
function keep(file, folder, order) {
  const own = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(own, JSON.stringify(order));
    renameSync(own, file);
  } catch {
    // Packages may lie where nobody writes.
  }
}
