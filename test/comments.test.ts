import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** `printWidth` of .oxfmtrc.json, which holds code to it but leaves comments alone. */
const COLUMNS_MAX = 110;

/** A line that is a comment, or part of one, and nothing else. */
const COMMENT = /^\s*(?:\/\/|\/?\*)/;

const wideIn = (text: string): number[] =>
  text.split('\n').flatMap((line, at) => (line.length > COLUMNS_MAX && COMMENT.test(line) ? [at + 1] : []));

describe('the comments of src', () => {
  it('are no wider than the code', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    expect(files.length).toBeGreaterThan(0);
    const wide = files.flatMap((file) =>
      wideIn(readFileSync(join(SRC, file), 'utf8')).map((line) => `src/${file}:${line}`),
    );
    expect(wide).toEqual([]);
  });

  it('are recognized in each of their forms', () => {
    const words = 'x'.repeat(COLUMNS_MAX);
    expect(wideIn(`// ${words}\n  /** ${words} */\n   * ${words}\nconst x = '${words}';`)).toEqual([1, 2, 3]);
  });
});
