import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readByteArray } from '../../json/byte-array.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { addressBytes, addressOf } from '../../solana/address.ts';
import { type Flush, flushFolder } from './flush-folder.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable } from './verb-failure.ts';

/** Bytes of a seed; the public key follows it in the file, as long. */
const SEED_BYTES = 32;

/** Rights of the group and of others (POSIX `S_IRWXG | S_IRWXO`). */
const OTHERS = 0o077;

/** The file that `--keypair` names, else the one that Solana's CLI uses (its default `keypair_path`). */
export const keypairPath = (call: VerbCall): string =>
  call.valueOf('keypair') ?? join(call.terminal.home, '.config', 'solana', 'id.json');

/**
 * The key of the wallet.
 *
 * @throws {VerbFailure} `config` where the file is missing, is readable by others or holds no key. The
 *   message has nothing of its content.
 */
export function readKeypair(call: VerbCall): Keypair {
  const path = keypairPath(call);
  const bytes = readByteArray(readSecret(path));
  const keypair = bytes?.length === 2 * SEED_BYTES ? new Keypair(bytes.subarray(0, SEED_BYTES)) : null;
  if (keypair !== null && keypair.address === addressOf(bytes?.subarray(SEED_BYTES) ?? new Uint8Array())) {
    return keypair;
  }
  throw unusable(`${path} is no keypair as solana-keygen writes it: a JSON array of 64 bytes`);
}

function readSecret(path: string): string {
  const { mode, text } = look(path);
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return text;
  throw unusable(`${path} can be used by others on this machine: run chmod 600 ${path}`);
}

function look(path: string): { readonly mode: number; readonly text: string } {
  try {
    return { mode: statSync(path).mode, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') {
      const why = code ?? 'unknown reason';
      throw unusable(`${path} cannot be read (${why}): name the file of a wallet with --keypair`);
    }
    throw unusable(`${path} is not there: make a wallet with "wallet new", or name its file with --keypair`);
  }
}

/**
 * Makes a key and keeps it in a file that only the user may read, on the disk once this returns: tokens may
 * be sent to its address at once. An existing file stays as it is.
 *
 * @throws {VerbFailure} `config`
 */
export function makeKeypair(path: string, flush: Flush = fsyncSync): Keypair {
  const seed = randomBytes(SEED_BYTES);
  const keypair = new Keypair(seed);
  const content = JSON.stringify([...seed, ...addressBytes(keypair.address)]);
  const folders = makeFolder(dirname(resolve(path)));
  try {
    writeNew(path, content, folders, flush);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw unusable(`${path} is there already and may hold a key: name another file with --keypair`);
    }
    throw unusable(`${path} cannot be written (${code ?? 'unknown reason'})`);
  }
  return keypair;
}

/** @param folders those in which something new has a name. */
function writeNew(path: string, content: string, folders: readonly string[], flush: Flush): void {
  const handle = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(handle, content);
    flush(handle);
    for (const folder of folders) flushFolder(folder, flush);
  } catch (error) {
    // Nobody is told of a key that may not be whole.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/**
 * Makes a folder with those above it, where they are not there.
 *
 * @returns it, and each above it in which one was made.
 */
function makeFolder(path: string): string[] {
  try {
    const first = mkdirSync(path, { recursive: true, mode: 0o700 });
    const folders = [path];
    if (first === undefined) return folders;
    const end = dirname(first);
    for (let above = path; above !== end; folders.push(above)) above = dirname(above);
    return folders;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw unusable(
      `${path} cannot be made a folder (${code ?? 'unknown reason'}): name another file with --keypair`,
    );
  }
}
