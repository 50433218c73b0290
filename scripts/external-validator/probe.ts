import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** One thing the validator needs, and whether it is here. */
export interface Fact {
  readonly isMet: boolean;
  /** What was found, or what is missing and how to mend it; one line. */
  readonly text: string;
}

/** How the validator is run on this machine. */
export interface Recipe {
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

const PACKAGE = '@magicblock-labs/ephemeral-validator-linux-x64';

/** The last version whose commits the programs of the npm package of the same version accept. */
const VERSION = '0.8.3';

/** What the validator sets RLIMIT_NOFILE to at its start; it ends where it cannot. */
const OPEN_FILES = 1_000_000;

const met = (text: string): Fact => ({ isMet: true, text });
const missing = (text: string): Fact => ({ isMet: false, text });

/**
 * Looks whether MagicBlock's validator from npm can run here. Nothing is installed and nothing is started but
 * `--version`. `EPHEMERAL_VALIDATOR_BIN` names the binary, or the folder npm installed it into;
 * `EPHEMERAL_VALIDATOR_LIBRARY_ROOT` a folder with unpacked libraries of Debian 13 or Ubuntu 24.04.
 */
export function probeMachine(env: Readonly<Record<string, string | undefined>>): Probe {
  const facts: Fact[] = [];
  const note = <T>([fact, found]: Finding<T>): T | null => {
    facts.push(fact);
    return fact.isMet ? found : null;
  };
  const system = note(probeSystem());
  const cores = note(probeCores());
  const binary = note(probeBinary(env['EPHEMERAL_VALIDATOR_BIN']));
  // Without a binary there is nothing to try the libraries with, and elsewhere than on Linux no such
  // libraries.
  const canTry = system !== null && binary !== null;
  const libraries = canTry ? note(probeLibraries(binary, env['EPHEMERAL_VALIDATOR_LIBRARY_ROOT'])) : null;
  const openFiles = note(probeOpenFiles());
  const terminal = note(probeTerminal());
  if (cores === null || binary === null || libraries === null || openFiles === null || terminal === null) {
    return { facts, recipe: null };
  }
  const recipe = { binary, libraryRoot: libraries.root, needsShim: openFiles.needsShim };
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

function probeBinary(given: string | undefined): Finding<string> {
  const mend = `npm install --ignore-scripts --prefix FOLDER ${PACKAGE}@${VERSION}, then EPHEMERAL_VALIDATOR_BIN=FOLDER`;
  if (given === undefined || given === '')
    return [missing(`binary: EPHEMERAL_VALIDATOR_BIN is not set; ${mend}`), null];
  const found = [
    given,
    join(given, 'bin/ephemeral-validator'),
    join(given, 'node_modules', PACKAGE, 'bin/ephemeral-validator'),
  ];
  const binary = found.find((path) => existsSync(path) && statSync(path).isFile());
  if (binary === undefined)
    return [missing(`binary: none at EPHEMERAL_VALIDATOR_BIN ${given}; ${mend}`), null];
  return [met(`binary: ${binary}`), binary];
}

function probeLibraries(binary: string, root: string | undefined): Finding<{ root: LibraryRoot | null }> {
  const native = askVersion(binary, []);
  if (native.version !== null)
    return judgeVersion(native.version, 'the libraries of this system', { root: null });
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
    return judgeVersion(foreign.version, `the libraries in ${root}`, { root: libraryRoot });
  return [missing(`libraries: those in ${root} will not do (${foreign.fault}); ${mend}`), null];
}

/** It prints its name and its version. */
function askVersion(command: string, args: readonly string[]): { version: string | null; fault: string } {
  const { status, stdout, stderr, error } = spawnSync(command, [...args, '--version'], { encoding: 'utf8' });
  const version = status === 0 ? (/\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? null) : null;
  const fault = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
  return { version, fault: fault === '' ? `it ended with ${status}` : fault };
}

function judgeVersion<T>(version: string, by: string, found: T): Finding<T> {
  if (version === VERSION) return [met(`libraries: version ${version} runs with ${by}`), found];
  return [
    missing(
      `version: it is ${version} and must be ${VERSION}: others do not get on with the programs that npm has`,
    ),
    null,
  ];
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

/** Version 0.8.3 draws on a terminal and ends at once where there is none. */
function probeTerminal(): Finding<true> {
  const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' });
  if (hasScript.status === 0 && hasScript.stdout.includes('util-linux')) {
    return [met(`terminal: by ${hasScript.stdout.trim()}`), true];
  }
  return [missing('terminal: there is no script of util-linux, which gives the validator one'), null];
}
