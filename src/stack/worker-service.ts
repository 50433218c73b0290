import type { Chain, Rollup } from '../chain/chain.ts';
import { createClusters } from '../chain/create-clusters.ts';
import { openExternalRollup } from '../chain/external-rollup.ts';
import type { Config } from '../config/config.ts';
import type { Console } from '../console/console.ts';
import { isTold } from '../console/calls/call-privacy.ts';
import type { ReportedCall } from '../console/calls/logged-call.ts';
import { withConsole } from '../console/console-paths.ts';
import { createPass } from '../console/pass.ts';
import type { Listener } from '../http/listener.ts';
import { withProbes } from '../http/probes.ts';
import type { RequestHandler } from '../http/server.ts';
import { systemTimer } from '../ports/timer.ts';
import { addHttpMetrics } from '../metrics/http-metrics.ts';
import { addProcessMetrics } from '../metrics/process-metrics.ts';
import { Registry, type MetricText } from '../metrics/registry.ts';
import { EXIT_CODES } from '../supervisor/exit-codes.ts';
import { BaseReads } from '../workers/base-reads.ts';
import type { CallClient } from '../workers/call-client.ts';
import type { RemoteChainFacts } from '../workers/chain-calls.ts';
import type { PrimaryCalls, WorkerCalls } from '../workers/worker-protocol.ts';
import { LedgerMemory } from '../workers/ledger-memory.ts';
import { CallNotes } from '../workers/call-notes.ts';
import { RemoteChain } from '../workers/remote-chain.ts';
import { remoteKeys, remoteLimiter } from '../workers/remote-limits.ts';
import { RemoteRollup } from '../workers/remote-rollup.ts';
import { createVersionReader, VERSION_FD } from '../workers/shared-version.ts';
import { Resources } from './resources.ts';
import type { TellCall } from '../service/served-call.ts';
import { tellServiceCalls } from './tell-calls.ts';
import { guardOf, listen } from './listening.ts';
import type { Ports } from './ports.ts';

const loadToolService = (): Promise<typeof import('./tool-service.ts')> => import('./tool-service.ts');

/**
 * The tool service in a worker process. The ledger and everything shared by all workers are in the primary.
 */
export class WorkerService implements WorkerCalls {
  readonly #config: Config;
  readonly #ports: Ports;
  readonly #primary: CallClient<PrimaryCalls>;
  readonly #registry: Registry;
  readonly #resources = new Resources();
  #listener: Listener | undefined;
  #handler: RequestHandler | undefined;
  #console: Console | null = null;
  #isServing = false;
  #isStopping = false;

  /** `number` labels the metrics of this worker. */
  constructor(number: number, config: Config, ports: Ports, primary: CallClient<PrimaryCalls>) {
    this.#config = config;
    this.#ports = ports;
    this.#primary = primary;
    this.#registry = new Registry({ worker: String(number) });
    this.#resources.add({ close: addProcessMetrics(this.#registry) });
  }

  /** @throws {ServiceError} CONFIG_INVALID when the port cannot be had. */
  async listen(port: number): Promise<string> {
    const listener = await listen(this.#config, 'PORT', port);
    this.#listener = listener;
    this.#serveIfReady();
    // Loading takes most of the start: do it while the primary opens its ledger.
    void loadToolService();
    addHttpMetrics(this.#registry, [{ name: 'service', counts: () => listener.counts }]);
    return listener.url;
  }

  /** @throws {ServiceError} CONFIG_INVALID as createClusters and createToolService do. */
  async prepare(facts: RemoteChainFacts | null, consolePort: number | null): Promise<void> {
    const { createToolService } = await loadToolService();
    const config = this.#config;
    const localnet = facts === null ? null : this.#openChain(facts);
    const clusters = this.#resources.add(createClusters(config, { ...this.#ports, localnet }));
    const guard = guardOf(config);
    const primary = this.#primary;
    const service = createToolService(config, {
      clusters,
      ports: this.#ports,
      guard,
      registry: this.#registry,
      rateLimiter: config.rateLimitPerSecond === 0 ? undefined : remoteLimiter(primary),
      idempotencyKeys: remoteKeys(primary),
      tellCall: consolePort === null ? undefined : this.#tellCalls(),
    });
    const handler = withProbes(service, {
      guard,
      logger: this.#ports.logger,
      unreadiness: () => (this.#isStopping ? 'draining' : primary.call('unreadiness')),
      ...(config.metrics && { writeMetrics: () => primary.call('metrics') }),
    });
    this.#console = consolePort === null ? null : this.#resources.add(createPass(consolePort));
    this.#handler = this.#console === null ? handler : withConsole(handler, this.#console.handler);
  }

  serve(): void {
    this.#isServing = true;
    this.#serveIfReady();
  }

  measure(): readonly MetricText[] {
    return this.#registry.read();
  }

  stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    void this.#end();
  }

  #serveIfReady(): void {
    if (!this.#isServing || this.#handler === undefined) return;
    this.#listener?.serve(this.#handler);
    if (this.#console !== null) this.#listener?.onUpgrade(this.#console.upgrade);
  }

  /** What the list would not tell does not leave this process. */
  #tellCalls(): TellCall {
    const { consoleLogArguments: logsArguments } = this.#config;
    const primary = this.#primary;
    const notes = new CallNotes((calls, skipped) => {
      void primary.call('noteCalls', calls, skipped).catch(() => {});
    }, systemTimer);
    this.#resources.add(notes);
    return tellServiceCalls((call) => {
      if (logsArguments) notes.add(call);
      else if (isTold(call)) notes.add(withoutArguments(call));
    }, this.#ports.clock);
  }

  async #end(): Promise<void> {
    await this.#listener?.close();
    await this.#resources.close();
    process.exit(EXIT_CODES.done);
  }

  #openChain(facts: RemoteChainFacts): Chain {
    const memory = new LedgerMemory(createVersionReader(VERSION_FD));
    const reads = new BaseReads(this.#primary, memory, !facts.isFork);
    return new RemoteChain(facts, this.#rollupOf(facts, reads), this.#primary, reads);
  }

  #rollupOf({ rollup: facts }: RemoteChainFacts, reads: BaseReads): Rollup | null {
    if (facts !== null) return new RemoteRollup(facts, this.#primary, reads);
    if (this.#config.rollup !== 'external') return null;
    return this.#resources.add(openExternalRollup(this.#config, this.#ports)).rollup;
  }
}

/** Listed one by one: V8 takes microseconds for each member that comes after what an object spreads first. */
function withoutArguments(call: ReportedCall): ReportedCall {
  return {
    atMs: call.atMs,
    door: call.door,
    call: call.call,
    status: call.status,
    code: call.code,
    ms: call.ms,
    requestBytes: call.requestBytes,
    responseBytes: call.responseBytes,
    requestId: call.requestId,
    isOwn: call.isOwn,
    hasToken: call.hasToken,
    arguments: undefined,
  };
}
