// Compiles the AssemblyScript of this folder and writes it where the project has it:
// src/solana/wasm-module.ts.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SOURCES = join(HERE, 'assembly');
const COMPILER = join(HERE, 'node_modules/assemblyscript/bin/asc.js');
const TARGET = fileURLToPath(new URL('../src/solana/wasm-module.ts', import.meta.url));

/** Why nothing can be compiled, where {@link hasCompiler} says no. */
export const MISSING = 'AssemblyScript is not installed: npm ci --ignore-scripts --prefix wasm';

/** Whether the compiler is installed. It is no dependency of the project: it brings 100 MB. */
export const hasCompiler = (): boolean => existsSync(COMPILER);

/**
 * sha256 of everything the module is made of, hex: the sources, how they are compiled, and by which compiler.
 */
export function digestSources(): string {
  const sources = readdirSync(SOURCES)
    .sort()
    .map((name) => join(SOURCES, name));
  const hash = createHash('sha256');
  for (const file of [...sources, join(HERE, 'asconfig.json'), join(HERE, 'package-lock.json')]) {
    hash.update(readFileSync(file, 'utf8').replaceAll('\r\n', '\n'));
  }
  return hash.digest('hex');
}

/** The module, compiled anew. */
export function compileModule(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'wasm-'));
  try {
    const outFile = join(folder, 'module.wasm');
    execFileSync(process.execPath, [COMPILER, '--config', 'asconfig.json', '--outFile', outFile], {
      cwd: HERE,
    });
    return readFileSync(outFile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The text of {@link TARGET}. */
function wrapModule(module: Buffer): string {
  const lines = module.toString('base64').match(/.{1,100}/g) ?? [];
  return `// Written by \`npm run wasm\` from wasm/assembly. Not to be edited.

/** sha256 of the sources of the module. */
export const SOURCES_SHA256 = '${digestSources()}';

/** The WebAssembly module, base64. */
export const WASM_MODULE = \`
${lines.join('\n')}
\`;
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!hasCompiler()) {
    const options = { cwd: HERE, stdio: 'inherit', shell: process.platform === 'win32' } as const;
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit'], options);
  }
  writeFileSync(TARGET, wrapModule(compileModule()));
}
