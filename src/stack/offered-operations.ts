import type { Chain } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Operation } from '../payments/operation.ts';
import { findNearestName } from '../service/input/nearest-name.ts';
import { toolName } from '../service/mcp/operation-tool.ts';
import { REST_TABLE } from '../service/rest/rest-table.ts';
import { WALLET_TOOLS } from '../wallets/wallet-operations.ts';

/** The settings that choose operations. */
export type Choice = Pick<Config, 'tools' | 'readOnly'>;

/** The chosen operations. Each names the clusters it works on; one that works on none is not listed. */
export function offerOperations(
  operations: readonly Operation[],
  clusters: Clusters,
  choice: Partial<Choice>,
): Operation[] {
  return chooseOperations(operations, choice).map((operation) => describeClusters(operation, clusters));
}

/** The operations in `TOOLS` (all if it is empty); with `READ_ONLY` only those that build and read. */
export function chooseOperations(
  operations: readonly Operation[],
  { tools = [], readOnly = false }: Partial<Choice>,
): readonly Operation[] {
  const named = new Set(tools.map(plainName));
  return operations
    .filter((operation) => named.size === 0 || named.has(plainName(toolName(operation))))
    .filter(({ effect }) => !readOnly || effect === 'build' || effect === 'read');
}

/** Tools that REST does not have: those of test wallets. */
const LOCAL_TOOLS = WALLET_TOOLS.map((name) => `localnet.${name}`);

/**
 * Checks the names in `TOOLS`.
 *
 * @throws {ServiceError} CONFIG_INVALID with a line for each that is none, and the name that was most likely
 *   meant.
 */
export function assertChoice({ tools }: Choice): void {
  const known = [...Object.keys(REST_TABLE), ...LOCAL_TOOLS];
  const faults = tools.flatMap((tool) => {
    const name = plainName(tool);
    if (known.includes(name)) return [];
    const nearest = findNearestName(name, known);
    const mend = nearest === undefined ? `the tools are ${known.join(', ')}` : `did you mean ${nearest}?`;
    return [`TOOLS names ${JSON.stringify(tool)}, which is no tool: ${mend}`];
  });
  if (faults.length > 0) throw new ServiceError('CONFIG_INVALID', faults.join('\n'));
}

/** `spl.deposit`, `spl_deposit` and `deposit` name the same operation. */
const plainName = (tool: string): string => tool.replace(/^spl[._]/, '').replace(/^localnet_/, 'localnet.');

function describeClusters(operation: Operation, clusters: Clusters): Operation {
  const chains = clusters.names.map((name) => clusters.resolve(name));
  const notes = operation.clusterNotes?.(clusters.resolve(undefined)) ?? [];
  const description = [operation.description, ...notes].join(' ');
  const able = chains.filter((chain) => operation.worksOn?.(chain) ?? true);
  // What a cluster that a caller names by its URL can do is known only then.
  if (able.length === chains.length || clusters.takesUrls) return { ...operation, description };
  if (able.length === 0) return { ...operation, isListed: false };
  return { ...operation, description: `${description} Works on ${wordsOf(able)} only.` };
}

const wordsOf = (chains: readonly Chain[]): string =>
  `${chains.length === 1 ? 'cluster' : 'clusters'} ${chains.map(({ cluster }) => cluster).join(', ')}`;
