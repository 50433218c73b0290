import type { Ledger } from '../../ledger/ledger.ts';
import { silentLogger } from '../../ports/logger.ts';
import { BATCH_MAX, createDispatcher } from '../../rpc/dispatcher.ts';
import { createRpcHandler } from '../../rpc/http/rpc-handler.ts';
import { LEDGER_METHODS } from '../../rpc/methods/method-table.ts';
import { type LoopbackServer, serveHttp } from './loopback-server.ts';

/** Serves an embedded ledger over a real socket, like any other upstream. */
export function serveLedger(ledger: Ledger): Promise<LoopbackServer> {
  const dispatch = createDispatcher({
    node: { ledger, version: '4.2.1', featureSet: 7 },
    methods: LEDGER_METHODS,
    batchMax: BATCH_MAX,
    logger: silentLogger,
  });
  return serveHttp(createRpcHandler({ dispatch }));
}
