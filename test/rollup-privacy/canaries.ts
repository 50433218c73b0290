import { decodeTokenAccount } from '../../src/programs/token/state.ts';
import { ROLLUP_BOOKS } from '../../src/rollup/books/item.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';
import type { PrivateNode } from './private-node.ts';

/**
 * Returns all texts that would reveal Alice's private data in a response: her addresses, balances, account
 * bytes, and the hidden transactions.
 */
export function canariesOf(node: PrivateNode, hidden: readonly string[]): ReadonlyMap<string, string> {
  const { rollup, alice } = node;
  const found = new Map<string, string>([
    ['the wallet', alice.address],
    ['the ATA', alice.ata],
    ['the eATA', alice.eata],
  ]);
  for (const [what, address] of [
    ['ATA', alice.ata],
    ['eATA', alice.eata],
    ['rollup’s books', ROLLUP_BOOKS],
  ] as const) {
    const { data } = rollup.getAccount(address) ?? { data: new Uint8Array(0) };
    found.set(`the ${what} in base64`, Buffer.from(data).toString('base64'));
    found.set(`the ${what} in base58`, encodeBase58(data));
  }
  const amount = decodeTokenAccount(rollup.getAccount(alice.ata)?.data ?? new Uint8Array(0))?.amount;
  if (amount === undefined) throw new Error('Alice has no tokens to look for');
  found.set('the amount', String(amount));
  found.set('the amount with its point', `${amount / 1_000_000n}.${String(amount).slice(-6)}`);
  for (const signature of hidden) {
    const wire = rollup.getTransaction(signature)?.wire ?? new Uint8Array(0);
    found.set(`transaction ${signature}`, signature);
    found.set(`transaction ${signature} in base64`, Buffer.from(wire).toString('base64'));
    found.set(`transaction ${signature} in base58`, encodeBase58(wire));
  }
  return found;
}

/** Returns the canaries in a text. */
export function canariesIn(text: string, canaries: ReadonlyMap<string, string>): string[] {
  return [...canaries].filter(([, canary]) => text.includes(canary)).map(([what]) => what);
}
