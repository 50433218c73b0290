/**
 * Writes THIRD-PARTY-NOTICES with the licenses of the program's dependencies and of the packages in the pages.
 * `--check` only checks whether the file is up to date.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TARGET = join(ROOT, 'THIRD-PARTY-NOTICES');
const NAME = 'node_modules/';

/** Packages that are bundled into the pages and are therefore in the tarball. All others are dependencies. */
const IN_PAGES = ['preact', 'uqr'];

const HEAD = `Packages that SPL Private Payments needs when it runs, with their licenses. npm installs them next to it. Its
tarball contains the code of only two of them: ${IN_PAGES.join(' and ')}, which are part of its web pages. A container image
contains all packages for its platform. Written by scripts/third-party-notices.mjs from package-lock.json.

MagicBlock's on-chain programs (Business Source License 1.1: local, non-production use only) are in neither
the tarball nor the image.
`;

const nameOf = (path) => path.slice(path.lastIndexOf(NAME) + NAME.length);

/** Production packages by name. Packages for other platforms may not be installed. */
function listPackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev, peer }]) => path !== '' && ((!dev && !peer) || IN_PAGES.includes(nameOf(path))))
    .map(([path, { version, license, os }]) => {
      const name = nameOf(path);
      if (license === undefined) throw new Error(`package-lock.json has no license of ${name}`);
      return { name, version, license, text: os === undefined ? readLicense(path) : undefined };
    });
}

/** The license text of a package; undefined if it has no such file. */
function readLicense(path) {
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
