import type { Clusters } from '../chain/clusters.ts';
import { createExplainTransaction } from '../payments/explain-transaction.ts';
import { type Address, parseAddress } from '../solana/address.ts';

/** An unsigned transaction on a rollup, and its parties. */
interface UnsignedTransfer {
  readonly transactionBase64: string;
  readonly cluster: string;
  /** The wallet that signs. */
  readonly from: string;
  readonly to: string;
  /** The caller's bearer token for the rollup; undefined without one. */
  readonly token: string | undefined;
}

/**
 * Explains a transfer to the wallet that will sign it, like `spl.explainTransaction`. The rollup hides the
 * owners of private accounts, so it looks for them among the parties.
 */
export async function explainTransfer(clusters: Clusters, transfer: UnsignedTransfer): Promise<object> {
  const { transactionBase64, cluster, token } = transfer;
  const [wallet, payee] = [parseAddress(transfer.from, 'from'), parseAddress(transfer.to, 'to')];
  const owners = (): readonly Address[] => [wallet, payee];
  const explain = createExplainTransaction({ clusters, operations: [], sponsor: null, owners });
  const input = explain.input.parse({ transactionBase64, cluster, sendTo: 'ephemeral', wallet });
  return (await explain.run(input, { token })).output;
}
