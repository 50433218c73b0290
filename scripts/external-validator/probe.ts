import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { binaryPlace, findBinary } from './find-binary.ts';
import type { ValidatorVersion } from './versions.ts';

/** A requirement of the validator, and whether it is met. */
export interface Fact {
  readonly isMet: boolean;
  /** One line: what was found, or what is missing and how to fix it. */
  readonly text: string;
}

/** How to run the validator on this machine. */
export interface Recipe {
  readonly version: ValidatorVersion;
  readonly binary: string;
  /** The libraries of a newer system; null if this system's are sufficient. */
  readonly libraryRoot: LibraryRoot | null;
  /** Whether to preload `open-file-limit.c`, because the open-file limit is too low. */
  readonly needsShim: boolean;
}

/** The dynamic loader and the libraries of another system. */
interface LibraryRoot {
  readonly loader: string;
  readonly libraries: string;
}

/** The result of a probe. */
interface Probe {
  readonly facts: readonly Fact[];
  /** How to run the validator; null if something is missing. */
  readonly recipe: Recipe | null;
}

/** The RLIMIT_NOFILE that the validator sets at startup. It ends if that fails. */
const OPEN_FILES = 1_000_000;

const met = (text: string): Fact => ({ isMet: true, text });
const missing = (text: string): Fact => ({ isMet: false, text });

/**
 * Checks whether a version of MagicBlock's validator can run here. Installs nothing, and only runs
 * `--version`. `EPHEMERAL_VALIDATOR_BIN` is the binary, or a folder where npm installed it, directly or in a
 * subfolder for its version. `EPHEMERAL_VALIDATOR_LIBRARY_ROOT` is a folder with unpacked libraries of Debian
 * 13 or Ubuntu 24.04.
 */
export function probeMachine(
  env: Readonly<Record<string, string | undefined>>,
  version: ValidatorVersion,
): Probe {
  const facts: Fact[] = [];
  const note = <T>([fact, found]: Finding<T>): T | null => {
    facts.push(fact);
    return fact.isMet ? found : null;
  };
  const system = note(probeSystem());
  const cores = note(probeCores());
  const binary = note(probeBinary(binaryPlace(env), version));
  // The libraries exist for Linux only, and testing them needs a binary.
  const canTry = system !== null && binary !== null;
  const root = env['EPHEMERAL_VALIDATOR_LIBRARY_ROOT'];
  const libraries = canTry ? note(probeLibraries(binary, root, version)) : null;
  const openFiles = note(probeOpenFiles());
  const terminal = version.needsTerminal ? note(probeTerminal()) : true;
  if (cores === null || binary === null || libraries === null || openFiles === null || terminal === null) {
    return { facts, recipe: null };
  }
  const recipe = { version, binary, libraryRoot: libraries.root, needsShim: openFiles.needsShim };
  return { facts, recipe };
}

/** A fact, with its value if it is met. */
type Finding<T> = readonly [Fact, T | null];

function probeSystem(): Finding<true> {
  const system = `${process.platform} ${process.arch}`;
  if (system === 'linux x64') return [met(`system: ${system}`), true];
  return [missing(`system: ${system}; npm's binary for linux x64 is the one this launcher knows`), null];
}

/** Checks the number of cores. With one core, the validator listens but never responds. */
function probeCores(): Finding<true> {
  const cores = availableParallelism();
  if (cores > 1) return [met(`cores: ${cores}`), true];
  return [missing('cores: 1 may be used, and the validator hangs with fewer than 2'), null];
}

function probeBinary(place: string, { version }: ValidatorVersion): Finding<string> {
  const binary = findBinary(place, version);
  if (binary !== undefined) return [met(`binary: ${binary}`), binary];
  const mend = `npm run external-validator -- --install --probe --version ${version} has npm install it there`;
  return [missing(`binary: none of ${version} in ${place} (EPHEMERAL_VALIDATOR_BIN); ${mend}`), null];
}

function probeLibraries(
  binary: string,
  root: string | undefined,
  version: ValidatorVersion,
): Finding<{ root: LibraryRoot | null }> {
  const native = askVersion(binary, []);
  if (native.version !== null)
    return judgeVersion(native.version, version, 'the libraries of this system', { root: null });
  const mend =
    'unpack libc6, libgcc-s1, libstdc++6, libssl3t64, libzstd1 and zlib1g of Debian 13 into a folder and set EPHEMERAL_VALIDATOR_LIBRARY_ROOT to it';
  if (root === undefined || root === '') {
    return [missing(`libraries: glibc 2.39 is needed (${native.fault}); ${mend}`), null];
  }
  const loader = ['usr/lib64', 'lib64']
    .map((path) => join(root, path, 'ld-linux-x86-64.so.2'))
    .find(existsSync);
  if (loader === undefined) {
    return [
      missing(`libraries: no ld-linux-x86-64.so.2 under EPHEMERAL_VALIDATOR_LIBRARY_ROOT ${root}; ${mend}`),
      null,
    ];
  }
  const libraryRoot = { loader, libraries: join(root, 'usr/lib/x86_64-linux-gnu') };
  const foreign = askVersion(loader, ['--library-path', libraryRoot.libraries, binary]);
  if (foreign.version !== null)
    return judgeVersion(foreign.version, version, `the libraries in ${root}`, { root: libraryRoot });
  return [missing(`libraries: those in ${root} will not do (${foreign.fault}); ${mend}`), null];
}

/** Runs a command with `--version`. It prints its name and version. */
function askVersion(command: string, args: readonly string[]): { version: string | null; fault: string } {
  const { status, stdout, stderr, error } = spawnSync(command, [...args, '--version'], { encoding: 'utf8' });
  const version = status === 0 ? (/\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? null) : null;
  const fault = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
  return { version, fault: fault === '' ? `it ended with ${status}` : fault };
}

function judgeVersion<T>(found: string, { version }: ValidatorVersion, by: string, value: T): Finding<T> {
  if (found === version) return [met(`libraries: version ${found} runs with ${by}`), value];
  const mend = 'EPHEMERAL_VALIDATOR_BIN names another, and may name a folder with both';
  return [missing(`version: it is ${found} and must be ${version}; ${mend}`), null];
}

function probeOpenFiles(): Finding<{ needsShim: boolean }> {
  const raised = spawnSync('sh', ['-c', `ulimit -n ${OPEN_FILES}`]).status === 0;
  if (raised) return [met(`open files: the limit can be raised to ${OPEN_FILES}`), { needsShim: false }];
  const compiler = spawnSync('cc', ['--version']).status === 0;
  if (compiler) {
    return [
      met(
        `open files: the limit cannot be raised to ${OPEN_FILES}, so a shim says that it was (cc compiles it)`,
      ),
      { needsShim: true },
    ];
  }
  return [
    missing(
      `open files: the limit cannot be raised to ${OPEN_FILES} and there is no cc to compile a shim; ulimit -Hn, --ulimit nofile of docker, or LimitNOFILE of systemd raises it`,
    ),
    null,
  ];
}

/** Checks for `script`, which provides the terminal that some versions need. */
function probeTerminal(): Finding<true> {
  const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' });
  if (hasScript.status === 0 && hasScript.stdout.includes('util-linux')) {
    return [met(`terminal: by ${hasScript.stdout.trim()}`), true];
  }
  return [missing('terminal: there is no script of util-linux, which gives the validator one'), null];
}
