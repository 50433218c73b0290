import type { OpenLedgerOptions } from '../../../../ledger/open-ledger.ts';
import type { AccountSource } from '../../../../ledger/provision/clone-accounts.ts';
import { Fork } from '../../../../ledger/provision/fork.ts';
import { openTestLedger, type TestLedger } from '../../../../ledger/testing/test-ledger.ts';
import { silentLogger } from '../../../../ports/logger.ts';
import { BATCH_MAX, createDispatcher } from '../../../dispatcher.ts';
import { forkedMethods } from '../../../fork/forked-methods.ts';
import { TEST_VERSION } from '../../../testing/call-method.ts';
import { LEDGER_METHODS } from '../../method-table.ts';
import { SURFNET_METHODS } from '../surfnet-methods.ts';

/** A parsed answer. */
interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A node that serves the `surfnet_` methods. */
export interface OperatedNode extends TestLedger {
  call(method: string, ...params: readonly unknown[]): Promise<Answer>;
  /** Calls a method with parameters as JSON text. Returns the text of the answer. */
  callForText(method: string, params: string): Promise<string>;
}

/**
 * Opens a test node with the `surfnet_` methods.
 *
 * @param source the cluster to fork; without it, the ledger is not a fork.
 * @param hasOperator false for a node that rejects the methods.
 */
export async function openOperatedNode(
  options: Partial<OpenLedgerOptions> = {},
  { hasOperator = true, source }: { readonly hasOperator?: boolean; readonly source?: AccountSource } = {},
): Promise<OperatedNode> {
  const world = await openTestLedger(options);
  const { ledger } = world;
  const fork = source && new Fork({ source, ledger, operator: ledger });
  const methods = [...LEDGER_METHODS, ...SURFNET_METHODS];
  const dispatch = createDispatcher({
    node: {
      ledger,
      version: TEST_VERSION,
      featureSet: 7,
      ...(hasOperator && { operator: ledger }),
      ...(fork && { fork }),
    },
    methods: fork === undefined ? methods : forkedMethods(methods, fork),
    batchMax: BATCH_MAX,
    logger: silentLogger,
  });
  const callForText = async (method: string, params: string): Promise<string> =>
    await dispatch(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`);
  return {
    ...world,
    callForText,
    call: async (method, ...params) =>
      JSON.parse(await callForText(method, JSON.stringify(params))) as Answer,
  };
}
