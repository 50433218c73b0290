/**
 * What users install: packs a clean copy of the files under version control, installs the tarball into an empty folder,
 * where nothing is overridden, and starts the program from there until it is ready. Needs the packages of this folder to
 * build with, and the registry.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const READY_MS_MAX = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'spl-packed-'));

/** The tarball of a copy that has nothing but the files under version control. */
function pack() {
  const clone = join(folder, 'clone');
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(ROOT, file), join(clone, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  npm(['pack', '--pack-destination', folder], clone);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack made no tarball');
  return join(folder, tarball);
}

function install(tarball) {
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball], home);
  return home;
}

function npm(args, cwd) {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Starts the program that npm has linked, and stops it once it is ready. */
async function start(home) {
  const bin = join(home, 'node_modules', '.bin', 'spl-private-payments');
  const ports = { PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0' };
  const child = spawn(bin, ['--ledger', join(folder, 'ledger')], {
    cwd: home,
    env: { PATH: process.env.PATH, ...ports },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const overdue = setTimeout(() => child.kill('SIGKILL'), READY_MS_MAX);
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    if (!shown.includes('Ready') && `${shown}${text}`.includes('Ready')) child.kill('SIGTERM');
    shown += text;
  });
  const [code] = await once(child, 'close');
  clearTimeout(overdue);
  if (code !== 0 || !shown.includes('Ready')) throw new Error(`the packed program ended with ${code}`);
}

try {
  const home = install(pack());
  await start(home);
  const [kib] = execFileSync('du', ['-sk', join(home, 'node_modules')], { encoding: 'utf8' }).split('\t');
  console.log(`The packed program installs ${Math.round(Number(kib) / 1024)} MiB and starts.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
