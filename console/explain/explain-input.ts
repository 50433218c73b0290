import type { ExplainTransactionOutput } from '../../src/client/generated.ts';
import type { Console } from '../context/console.ts';
import { type PaymentRequest, type Proposal, propose, requestOf } from '../payments/proposal.ts';
import type { LedgerReader } from '../readers/reader.ts';
import type { ReadInput } from './read-input.ts';

/** An explanation with its transaction. */
export interface Explained {
  readonly explanation: ExplainTransactionOutput;
  readonly transactionBase64: string;
  readonly lastValidBlockHeight: number | null;
  /** The proposal to sign, if the transaction was built from a request; else null. */
  readonly proposal: Proposal | null;
}

/** Thrown if no ledger shows a signature to the reader. */
class NotShown extends Error {
  override readonly name = 'NotShown';
}

/**
 * Explains the input, compared with a request if there is one.
 *
 * @param request the request to compare with; null for none.
 * @throws {PaymentsError} if the service rejects the request.
 * @throws {NotShown} if no ledger shows the signature to this viewpoint.
 */
export async function explainInput(
  console: Console,
  read: Exclude<ReadInput, { readonly kind: 'empty' | 'unreadable' }>,
  request: PaymentRequest | null,
): Promise<Explained> {
  const { api } = console;
  if (read.kind === 'request') {
    const proposal = await propose(
      { api, tokenOf: payerToken(console) },
      payerOf(read.request),
      read.request,
    );
    const { explanation, transactionBase64, lastValidBlockHeight } = proposal;
    return { explanation, transactionBase64, lastValidBlockHeight, proposal };
  }
  const found = read.kind === 'signature' ? await fetchTransaction(console, read.signature) : null;
  const transactionBase64 =
    found?.transactionBase64 ?? (read.kind === 'transaction' ? read.transactionBase64 : '');
  const token = tokenOf(console);
  const explanation = await api.explainTransaction(
    {
      transactionBase64,
      ...(found === null ? {} : { sendTo: found.sendTo }),
      ...(request === null
        ? {}
        : { request: { operation: request.operation, arguments: requestOf(request, '').arguments } }),
    },
    token === null ? {} : { token },
  );
  return { explanation, transactionBase64, lastValidBlockHeight: null, proposal: null };
}

/** The token that the current viewpoint sends. Only the owner sends one. */
function tokenOf({ viewpoint, looking, wallets }: Console): string | null {
  const wallet = looking.peek();
  return viewpoint.peek() === 'owner' && wallet !== null ? wallets.tokenOf(wallet) : null;
}

/** Returns the payer's token. Reads the viewpoint at each call, because it can change between calls. */
const payerToken =
  ({ viewpoint, wallets }: Console) =>
  (wallet: string): string | null =>
    viewpoint.peek() === 'owner' ? wallets.tokenOf(wallet) : null;

/** The wallet that signs the transaction of a request. */
function payerOf({ arguments: args }: PaymentRequest): string {
  if ('from' in args) return args.from;
  return 'owner' in args ? args.owner : args.payer;
}

/** Looks a signature up on both ledgers as the current viewpoint. */
async function fetchTransaction({ readers, viewpoint, owners }: Console, signature: string) {
  const as = viewpoint.peek();
  const rollup =
    as === 'base'
      ? []
      : as === 'anyone'
        ? [readers.anyone]
        : owners.peek().map((wallet) => readers.owner(wallet));
  for (const reader of [readers.base, ...rollup]) {
    // After a switch of the viewpoint, the token of the previous one is no longer sent.
    if (viewpoint.peek() !== as) break;
    const transactionBase64 = reader === null ? null : await bytesOf(reader, signature);
    if (reader !== null && transactionBase64 !== null) {
      return {
        transactionBase64,
        sendTo: reader.ledger === 'base' ? ('base' as const) : ('ephemeral' as const),
      };
    }
  }
  throw new NotShown('No ledger shows the signature to the chosen reader. It may be private or nonexistent.');
}

async function bytesOf(reader: LedgerReader, signature: string): Promise<string | null> {
  const answer = await reader.call<{ readonly transaction: readonly [string, string] } | null>(
    'getTransaction',
    [signature, { encoding: 'base64', maxSupportedTransactionVersion: 1 }],
  );
  return answer.kind === 'value' ? (answer.value?.transaction[0] ?? null) : null;
}
