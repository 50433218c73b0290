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
import { readByteArray } from '../../json/parse-json.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { type Address, addressBytes, addressOf, isAddress } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { isPlainText } from '../../solana/plain-text.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, type VerbExit } from './verb-failure.ts';

/** Runs `wallet new`, `wallet show` or `wallet sign-message TEXT`. Prints the address or signature. */
export async function runWallet(call: VerbCall): Promise<VerbExit> {
  const [action, text, ...surplus] = call.words;
  if (action === 'sign-message' && text !== undefined && surplus.length === 0) return signText(call, text);
  if (action === undefined || !/^(new|show)$/.test(action) || text !== undefined) {
    throw unusable('wallet needs new, show, or sign-message and a text');
  }
  const path = keypairPath(call);
  const { address } = action === 'new' ? makeKeypair(path) : readKeypair(call);
  call.report({ address, keypair: path }, [address]);
  return 'done';
}

function signText(call: VerbCall, text: string): VerbExit {
  if (!isPlainText(text)) {
    throw unusable(
      'sign-message needs plain ASCII text of up to 1024 characters that does not start with a line break or tab, so that it cannot be a transaction',
    );
  }
  const keypair = readKeypair(call);
  const signature = encodeBase58(keypair.sign(new TextEncoder().encode(text)));
  call.report({ address: keypair.address, signature }, [signature]);
  return 'done';
}

/** Size of a seed, in bytes. A public key of the same size follows it in the file. */
const SEED_BYTES = 32;

/** Permission bits of the group and others (POSIX `S_IRWXG | S_IRWXO`). */
const OTHERS = 0o077;

/** Returns the file that `--keypair` names, or the default of Solana's CLI (`keypair_path`). */
export const keypairPath = (call: VerbCall): string =>
  call.valueOf('keypair') ?? join(call.terminal.home, '.config', 'solana', 'id.json');

/**
 * Reads the wallet's key.
 *
 * @throws {VerbFailure} `config` if the file is missing, is readable by others or contains no key. The
 *   message does not quote the file.
 */
export function readKeypair(call: VerbCall): Keypair {
  const path = keypairPath(call);
  const bytes = readByteArray(readSecret(path));
  const keypair = bytes?.length === 2 * SEED_BYTES ? new Keypair(bytes.subarray(0, SEED_BYTES)) : null;
  if (keypair !== null && keypair.address === addressOf(bytes?.subarray(SEED_BYTES) ?? new Uint8Array())) {
    return keypair;
  }
  throw unusable(`${path} is not a keypair file (a JSON array of 64 bytes): pass another with --keypair`);
}

function readSecret(path: string): string {
  const { mode, text } = look(path);
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return text;
  throw unusable(`${path} is accessible to other users of this machine: run chmod 600 ${path}`);
}

function look(path: string): { readonly mode: number; readonly text: string } {
  try {
    return { mode: statSync(path).mode, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') {
      const why = code ?? 'unknown reason';
      throw unusable(`${path} cannot be read (${why}): pass another keypair file with --keypair`);
    }
    throw unusable(
      `${path} does not exist: create a wallet with "wallet new", or pass its file with --keypair`,
    );
  }
}

/**
 * Creates a key and flushes it to a file that only the user can read. Existing files are not changed.
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
      throw unusable(`${path} already exists and may hold a key: pass another file with --keypair`);
    }
    throw unusable(`${path} cannot be written (${code ?? 'unknown reason'}): pass another --keypair`);
  }
  return keypair;
}

/** @param folders the folders with new entries. */
function writeNew(path: string, content: string, folders: readonly string[], flush: Flush): void {
  const handle = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(handle, content);
    flush(handle);
    for (const folder of folders) flushFolder(folder, flush);
  } catch (error) {
    // The key may be incomplete.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/**
 * Creates a folder and its missing parents.
 *
 * @returns the folder and each parent with a new entry.
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
      `The folder ${path} cannot be created (${code ?? 'unknown reason'}): pass another file with --keypair`,
    );
  }
}

type Flush = (handle: number) => void;

function flushFolder(folder: string, flush: Flush = fsyncSync): void {
  const handle = openSync(folder, 'r');
  try {
    flush(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Returns the named wallet, or the wallet of the keypair.
 *
 * @throws {VerbFailure} `config`
 */
export function ownerOf(call: VerbCall): Address {
  const [named] = call.words;
  if (named === undefined) return readKeypair(call).address;
  if (isAddress(named)) return named;
  throw unusable(`'${named}' is not a base58 Solana address`);
}
