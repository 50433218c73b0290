import { encodeBase58 } from '../../solana/base58.ts';
import { isPlainText } from '../../solana/plain-text.ts';
import { keypairPath, makeKeypair, readKeypair } from './keypair-file.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, type VerbExit } from './verb-failure.ts';

/** `wallet new`, `wallet show`, `wallet sign-message TEXT`: prints the address, or the signature, base58. */
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
