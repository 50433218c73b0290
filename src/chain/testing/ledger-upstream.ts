import type { Ledger } from '../../ledger/ledger.ts';
import { silentLogger } from '../../ports/logger.ts';
import { showAccount } from '../../rpc/accounts/account-encoding.ts';
import { BATCH_MAX, createDispatcher } from '../../rpc/dispatcher.ts';
import { createRpcHandler } from '../../rpc/http/rpc-handler.ts';
import { accountInfoConfig } from '../../rpc/methods/get-account-info.ts';
import { LEDGER_METHODS } from '../../rpc/methods/method-table.ts';
import { verifyAddress } from '../../rpc/params/keys.ts';
import { sequence, string } from '../../rpc/params/primitives.ts';
import { defineMethod } from '../../rpc/rpc-method.ts';
import { inContext, readHead } from '../../rpc/rpc-node.ts';
import { serveHttp, type LoopbackServer } from './loopback-server.ts';

/** Agave's `getMultipleAccounts` as far as payments use it, for as long as the node does not have it. */
const getMultipleAccounts = defineMethod(
  'getMultipleAccounts',
  { required: [sequence(string)], optional: [accountInfoConfig] },
  (node, texts, config) => {
    const { slot } = readHead(node, config);
    const lookUp = (text: string) => node.ledger.getAccount(verifyAddress(text));
    const shown = texts.map((text) => {
      const account = lookUp(text);
      return account === null ? null : showAccount(account, { encoding: 'base64', lookUp });
    });
    return inContext(node, slot, shown);
  },
);

const METHODS = [getMultipleAccounts, ...LEDGER_METHODS];

/** Serves an embedded ledger over a real socket, as any upstream. */
export function serveLedger(ledger: Ledger): Promise<LoopbackServer> {
  const dispatch = createDispatcher({
    node: { ledger, version: '4.2.1', featureSet: 7 },
    methods: METHODS,
    batchMax: BATCH_MAX,
    logger: silentLogger,
  });
  return serveHttp(createRpcHandler({ dispatch }));
}
