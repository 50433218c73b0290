import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { programOfSource } from './dry-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'source-program-'));
afterAll(() => rmSync(folder, { recursive: true }));

function sourceOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const outputOf = (file: string): string => execFileSync(process.execPath, [file], { encoding: 'utf8' });

it('runs what is written in TypeScript, with what that imports', () => {
  writeFileSync(join(folder, 'part.ts'), 'export const answer = (of: number): number => of * 7;\n');
  const source = sourceOf('program.ts', "import { answer } from './part.ts';\nconsole.log(answer(6));\n");
  const file = programOfSource(source);
  expect(outputOf(file)).toBe('42\n');
  expect(programOfSource(source)).toBe(file);
});

it('makes another file of another source, and leaves that of the same one as it is', () => {
  const one = programOfSource(sourceOf('one.ts', 'console.log(1 satisfies number);\n'));
  const { mtimeMs } = statSync(one);
  expect(outputOf(programOfSource(sourceOf('two.ts', 'console.log(2 satisfies number);\n')))).toBe('2\n');
  expect(outputOf(one)).toBe('1\n');
  expect(statSync(one).mtimeMs).toBe(mtimeMs);
});

it('leaves the draft of another thread of this process alone', async () => {
  const source = sourceOf('threads.ts', 'console.log(3 satisfies number);\n');
  const file = programOfSource(source);
  rmSync(file);
  // Whoever writes to it fails.
  const draft = `${file}.${process.pid}`;
  mkdirSync(draft);
  onTestFinished(() => rmSync(draft, { recursive: true }));
  vi.resetModules();
  const otherThread = await import('./dry-run.ts');
  expect(otherThread.programOfSource(source)).toBe(file);
  expect(outputOf(file)).toBe('3\n');
});

it('throws where a source does not compile', () => {
  expect(() => programOfSource(sourceOf('bad.ts', 'const = 1;\n'))).toThrow(/bad\.ts/u);
});
