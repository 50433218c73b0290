/**
 * Writes THIRD-PARTY-NOTICES: the packages that the program needs when it runs, and those that the page has in
 * it, with their licences. `--check` says whether the file is stale and writes nothing.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TARGET = join(ROOT, 'THIRD-PARTY-NOTICES');
const NAME = 'node_modules/';

/** Packages whose code is in the page, and so in the tarball; all others stay where npm puts them. */
const IN_PAGE = ['preact'];

const HEAD = `Packages that SPL Private Payments needs when it runs, with their licences. npm installs them beside it: none of
their code is in its tarball, but for that of ${IN_PAGE.join()}, which the page of the console has in it. All of it for one
platform is in a container's image. Written by scripts/third-party-notices.mjs from package-lock.json.

MagicBlock's on-chain programs (Business Source License 1.1: local, non-production use only) are in neither.
`;

const nameOf = (path) => path.slice(path.lastIndexOf(NAME) + NAME.length);

/** Packages for production, by name. One that is for some platforms only may not be installed on this one. */
function listPackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev, peer }]) => path !== '' && ((!dev && !peer) || IN_PAGE.includes(nameOf(path))))
    .map(([path, { version, license, os }]) => {
      const name = nameOf(path);
      if (license === undefined) throw new Error(`package-lock.json has no licence of ${name}`);
      return { name, version, license, text: os === undefined ? readLicence(path) : undefined };
    });
}

/** The licence that a package carries; undefined where it has no file of it. */
function readLicence(path) {
  const folder = join(ROOT, path);
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.(md|txt))?$/i.test(name));
  return file && readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
}

function write(packages) {
  const line = '-'.repeat(80);
  const sections = packages.map(({ name, version, license, text }) => {
    const title = `${name} ${version} (${license})`;
    return text === undefined ? `${line}\n${title}\n` : `${line}\n${title}\n\n${text}\n`;
  });
  return [HEAD, ...sections].join('\n');
}

const written = write(listPackages());
if (!process.argv.includes('--check')) writeFileSync(TARGET, written);
else if (readFileSync(TARGET, 'utf8') !== written) {
  console.error('THIRD-PARTY-NOTICES is stale: run node scripts/third-party-notices.mjs');
  process.exitCode = 1;
}
