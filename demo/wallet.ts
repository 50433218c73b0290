import { readFileSync, writeFileSync } from 'node:fs';
import {
  createKeyPairSignerFromBytes,
  generateKeyPairSigner,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  signBytes,
  signTransaction,
  type KeyPairSigner,
} from '@solana/kit';

/**
 * The caller's side of the README's tour: a wallet in a file, in the form of the Solana command line (64
 * numbers).
 *
 *   tsx demo/wallet.ts new FILE                 makes a wallet, prints its address
 *   tsx demo/wallet.ts sign FILE BASE64         signs an unsigned transaction, prints it as base64
 *   tsx demo/wallet.ts sign-message FILE TEXT   signs a text, prints the signature as base58
 */
const [command, file, content] = process.argv.slice(2);

if (command === 'new' && file !== undefined) {
  const { address, keyPair } = await generateKeyPairSigner(true);
  const secret = Buffer.from(await crypto.subtle.exportKey('pkcs8', keyPair.privateKey)).subarray(-32);
  const publicKey = Buffer.from(await crypto.subtle.exportKey('raw', keyPair.publicKey));
  writeFileSync(file, JSON.stringify([...secret, ...publicKey]), { mode: 0o600 });
  console.log(address);
} else if (command === 'sign' && file !== undefined && content !== undefined) {
  const { keyPair } = await readWallet(file);
  const unsigned = getTransactionDecoder().decode(Buffer.from(content, 'base64'));
  console.log(getBase64EncodedWireTransaction(await signTransaction([keyPair], unsigned as never)));
} else if (command === 'sign-message' && file !== undefined && content !== undefined) {
  const { keyPair } = await readWallet(file);
  const signature = await signBytes(keyPair.privateKey, new TextEncoder().encode(content));
  console.log(getBase58Decoder().decode(signature));
} else {
  console.error('Usage: tsx demo/wallet.ts new FILE | sign FILE BASE64 | sign-message FILE TEXT');
  process.exitCode = 2;
}

function readWallet(path: string): Promise<KeyPairSigner> {
  const bytes = Uint8Array.from(JSON.parse(readFileSync(path, 'utf8')) as number[]);
  return createKeyPairSignerFromBytes(bytes);
}
