import type { Plugin } from 'vitest/config';

/**
 * Appends a statement to each module that makes its exports six times faster to read. Vite stores them as
 * getters of an object in V8's slow dictionary mode. Using that object as a prototype makes V8 optimize it.
 * The name is the one that Vite gives to the exports object.
 */
export const quickImports: Plugin = {
  name: 'quick-imports',
  // Runs after types are removed.
  enforce: 'post',
  transform: {
    filter: { id: { include: /\.tsx?$/, exclude: /\/node_modules\// } },
    handler: (code) => ({ code: `${code}\n;Object.create(__vite_ssr_exports__);`, map: null }),
  },
};
