import { Keypair } from '../../src/ledger/keypair.ts';
import { addressOf } from '../../src/solana/address.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';

/** The used part of the service's response to a request for a table. */
export interface TableAnswer {
  readonly lookupTable: string;
  readonly addresses: readonly string[];
  readonly transactions: readonly Built[];
  readonly setting?: string;
  readonly warnings?: readonly { readonly message: string }[];
}

interface Built {
  readonly transactionBase64: string;
  readonly recentBlockhash: string;
  readonly lastValidBlockHeight: number;
}

/** Posts JSON to a path of the service and returns its response. Throws the service's message on failure. */
type Post = (path: string, body: object) => Promise<unknown>;

/** Reads a key file of the Solana CLI: a JSON array of 64 bytes that starts with the 32-byte seed. */
export function readKeypair(text: string): Keypair {
  const bytes: unknown = JSON.parse(text);
  if (!Array.isArray(bytes) || bytes.length !== 64)
    throw new Error('the key file is no JSON array of 64 bytes');
  const pair = Uint8Array.from(bytes as number[]);
  const keypair = new Keypair(pair.subarray(0, 32));
  if (keypair.address === addressOf(pair.subarray(32))) return keypair;
  throw new Error('the two halves of the key file do not belong together');
}

/** Requests the transactions of a table that `keypair` pays for. */
export const askForTable = (post: Post, keypair: Keypair, wishes: object): Promise<TableAnswer> =>
  post('/v1/spl/lookup-table', { payer: keypair.address, ...wishes }) as Promise<TableAnswer>;

/**
 * Signs and sends the transactions of a table, one after the other.
 *
 * @throws {Error} if one does not land. The earlier ones have landed.
 */
export async function sendTable(
  post: Post,
  keypair: Keypair,
  { transactions }: TableAnswer,
  cluster: string | undefined,
): Promise<void> {
  for (const [at, { transactionBase64, recentBlockhash, lastValidBlockHeight }] of transactions.entries()) {
    const sent = (await post('/v1/transaction/send', {
      transactionBase64: sign(keypair, transactionBase64),
      recentBlockhash,
      lastValidBlockHeight,
      sendTo: 'base',
      confirm: true,
      ...(cluster === undefined ? {} : { cluster }),
    })) as { readonly confirmed: boolean; readonly signature: string };
    if (sent.confirmed) continue;
    throw new Error(
      `transaction ${at + 1} of ${transactions.length} (${sent.signature}) has not been seen to land: look it up before anything else is sent`,
    );
  }
}

function sign(keypair: Keypair, transactionBase64: string): string {
  const wire = new Uint8Array(Buffer.from(transactionBase64, 'base64'));
  const { staticKeys, messageAt, requiredSignatures } = decodeTransaction(wire);
  const place = staticKeys.indexOf(keypair.address);
  if (place < 0 || requiredSignatures !== 1) throw new Error('the transaction asks for other signers');
  wire.set(keypair.sign(wire.subarray(messageAt)), 1);
  return Buffer.from(wire).toString('base64');
}
