import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const CONSOLE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = dirname(CONSOLE.replace(/\/$/, ''));

/** The imports that each folder of the page may have. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  parts: ['src/console'],
  solana: ['parts'],
  readers: ['parts'],
  wallets: ['parts', 'readers', 'src/client'],
  payments: ['parts', 'solana', 'wallets', 'src/client'],
  history: ['parts', 'readers'],
  context: ['parts', 'readers', 'wallets', 'src/client', 'src/console'],
  explain: ['context', 'parts', 'payments', 'readers', 'src/client'],
  books: ['parts'],
  explorer: ['history', 'parts', 'src/console'],
  login: ['parts'],
  pay: ['parts', 'wallets'],
  operations: ['parts', 'src/console'],
  requests: ['parts', 'src/console'],
  life: ['context', 'explain', 'history', 'parts', 'readers'],
  play: [
    'books',
    'context',
    'explain',
    'history',
    'parts',
    'payments',
    'readers',
    'wallets',
    'src/client',
    'src/console',
  ],
};

const files = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith('testing'),
);

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(CONSOLE, file), 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, specifier = '']) => {
    const target = relative(ROOT, join(CONSOLE, dirname(file), specifier));
    const [first = '', second = ''] = target.split('/');
    return first === 'src' ? `src/${second}` : second;
  });
}

it.each(Object.entries(ARROWS))('%s imports only what it may', (folder, allowed) => {
  const own = files.filter((file) => file.startsWith(`${folder}/`));
  const taken = new Set(own.flatMap(importsOf));
  taken.delete(folder);
  expect([...taken].sort()).toEqual([...allowed].sort());
});

it('imports only the typed client of the service and the types of its answers', () => {
  const doors = new Set(files.flatMap(importsOf).filter((target) => target.startsWith('src/')));
  expect([...doors].sort()).toEqual(['src/client', 'src/console']);
  const ofAnswers = files.flatMap((file) =>
    readFileSync(join(CONSOLE, file), 'utf8')
      .split(';')
      .filter((statement) => statement.includes('src/console/'))
      .map((statement) => statement.trim()),
  );
  expect(ofAnswers.filter((one) => !/^(im|ex)port type \{.*src\/console\/answers\.ts'$/s.test(one))).toEqual(
    [],
  );
  // Types alone, of nothing else: the page takes no code of the service with them.
  const answers = readFileSync(join(ROOT, 'src/console/answers.ts'), 'utf8');
  expect(answers).not.toMatch(/^import|^export (?!interface|type)/m);
});
