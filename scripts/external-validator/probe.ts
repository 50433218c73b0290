import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { binaryPlace, findBinary } from './find-binary.ts';
import type { ValidatorVersion } from './versions.ts';

/** One thing the validator needs, and whether it is here. */
export interface Fact {
  readonly isMet: boolean;
  /** What was found, or what is missing and how to mend it; one line. */
  readonly text: string;
}

/** How the validator is run on this machine. */
export interface Recipe {
  readonly version: ValidatorVersion;
  readonly binary: string;
  /** Folder with the libraries of a newer system; null where those of this one will do. */
  readonly libraryRoot: LibraryRoot | null;
  /** Whether the open-file limit is too low, so that `open-file-limit.c` has to be preloaded. */
  readonly needsShim: boolean;
}

/** The dynamic loader of another system and the libraries that go with it. */
interface LibraryRoot {
  readonly loader: string;
  readonly libraries: string;
}

/** What is here. */
interface Probe {
  readonly facts: readonly Fact[];
  /** Null when something is missing. */
  readonly recipe: Recipe | null;
}

/** What the validator sets RLIMIT_NOFILE to at its start; it ends where it cannot. */
const OPEN_FILES = 1_000_000;

const met = (text: string): Fact => ({ isMet: true, text });
const missing = (text: string): Fact => ({ isMet: false, text });

/**
 * Looks whether a version of MagicBlock's validator from npm can run here. Nothing is installed and nothing
 * is started but `--version`. `EPHEMERAL_VALIDATOR_BIN` names the binary, or a folder npm installed it into,
 * of itself or under its version; `EPHEMERAL_VALIDATOR_LIBRARY_ROOT` a folder with unpacked libraries of
 * Debian 13 or Ubuntu 24.04.
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
  // Without a binary there is nothing to try the libraries with, and elsewhere than on Linux no such
  // libraries.
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

/** A fact, and what follows from it when it is met. */
type Finding<T> = readonly [Fact, T | null];

function probeSystem(): Finding<true> {
  const system = `${process.platform} ${process.arch}`;
  if (system === 'linux x64') return [met(`system: ${system}`), true];
  return [missing(`system: ${system}; npm's binary for linux x64 is the one this launcher knows`), null];
}

/** It sizes its runtimes by the cores this process may use; with one it listens and never answers. */
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

/** It prints its name and its version. */
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

/** For a version that draws on a terminal and ends at once where there is none. */
function probeTerminal(): Finding<true> {
  const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' });
  if (hasScript.status === 0 && hasScript.stdout.includes('util-linux')) {
    return [met(`terminal: by ${hasScript.stdout.trim()}`), true];
  }
  return [missing('terminal: there is no script of util-linux, which gives the validator one'), null];
}
