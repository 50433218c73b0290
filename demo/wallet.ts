import { readFileSync, writeFileSync } from 'node:fs';
import {
  createKeyPairSignerFromBytes,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  signTransaction,
} from '@solana/kit';

/**
 * The caller's side of the README's tour: a wallet in a file, in the form of the Solana command line (64 numbers).
 *
 *   tsx demo/wallet.ts new FILE           makes a wallet, prints its address
 *   tsx demo/wallet.ts sign FILE BASE64   signs an unsigned transaction, prints it as base64
 */
const [command, file, transaction] = process.argv.slice(2);

if (command === 'new' && file !== undefined) {
  const { address, keyPair } = await generateKeyPairSigner(true);
  const secret = Buffer.from(await crypto.subtle.exportKey('pkcs8', keyPair.privateKey)).subarray(-32);
  const publicKey = Buffer.from(await crypto.subtle.exportKey('raw', keyPair.publicKey));
  writeFileSync(file, JSON.stringify([...secret, ...publicKey]), { mode: 0o600 });
  console.log(address);
} else if (command === 'sign' && file !== undefined && transaction !== undefined) {
  const bytes = Uint8Array.from(JSON.parse(readFileSync(file, 'utf8')) as number[]);
  const { keyPair } = await createKeyPairSignerFromBytes(bytes);
  const unsigned = getTransactionDecoder().decode(Buffer.from(transaction, 'base64'));
  console.log(getBase64EncodedWireTransaction(await signTransaction([keyPair], unsigned as never)));
} else {
  console.error('Usage: tsx demo/wallet.ts new FILE | sign FILE BASE64');
  process.exitCode = 1;
}
