/** The Agave release whose RPC this node answers like, and whose runtime (4.2) its engine has. */
const AGAVE_VERSION = '4.2.1';

/**
 * The u32 Agave nodes compute from the features they know. This node is no Agave build and claims no such set; clients
 * only compare it between the nodes of a cluster.
 */
export const FEATURE_SET = 0;

/**
 * What the node calls its version in getVersion and in contexts. Clients read a semantic version of Agave there and
 * switch features by it; what the node really is stands behind the plus, which takes no part in comparisons.
 */
export function nodeVersion(packageVersion: string): string {
  return `${AGAVE_VERSION}+spl-private-payments.${packageVersion}`;
}
