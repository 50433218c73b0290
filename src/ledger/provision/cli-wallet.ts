import { readByteArray } from '../../json/byte-array.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import { Keypair } from '../keypair.ts';
import { readRegularFile } from './regular-file.ts';
import { fileFault } from './provision-fault.ts';

/** Largest configuration or keypair file, bytes. Real ones have a few hundred. */
const FILE_BYTES_MAX = 1024 * 1024;

/** The line of the configuration, a plain or a quoted YAML scalar, as Solana's CLI writes it. */
const KEYPAIR_LINE = /^keypair_path:[ \t]*(?:"([^"]*)"|'([^']*)'|([^\s#][^#\r\n]*?))[ \t]*(?:#.*)?$/m;

/**
 * The wallet of a Solana CLI configuration: the address of the key file in its `keypair_path`.
 * solana-test-validator uses the same one as its mint. The secret key is not kept.
 *
 * @throws {ServiceError} PROVISION_INVALID if the file is missing or is not a keypair; the message contains
 *   nothing of it.
 */
export function readCliWallet(config: string): Address {
  const line = KEYPAIR_LINE.exec(readRegularFile(config, FILE_BYTES_MAX).toString('utf8'));
  const path = line?.[1] ?? line?.[2] ?? line?.[3];
  if (path === undefined) {
    throw fileFault(config, 'has no keypair_path: name the wallet with --mint instead of --config');
  }
  if (/^[a-z]+:/i.test(path)) {
    throw fileFault(
      config,
      `has the keypair_path ${path}, which is no file: name the wallet with --mint instead of --config`,
    );
  }
  return addressOfKeypair(path);
}

/** The JSON array of `solana-keygen`: 32 bytes of seed and 32 of public key. */
function addressOfKeypair(path: string): Address {
  const bytes = readByteArray(readRegularFile(path, FILE_BYTES_MAX).toString('utf8'));
  const address = bytes?.length === 64 ? addressOf(bytes.subarray(32)) : null;
  if (bytes === null || address === null || new Keypair(bytes.subarray(0, 32)).address !== address) {
    throw fileFault(path, 'is no keypair as solana-keygen writes it: a JSON array of 64 bytes');
  }
  return address;
}
